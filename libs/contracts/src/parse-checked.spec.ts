import fc from 'fast-check';
import { z } from 'zod';
import { appendUnitSchema, appendedSchema } from './append-unit';
import { parseChecked } from './parse-checked';
import { rpcReplySchema } from './rpc-reply';
import { eventMessageSchema } from './stored-event';
import { submitSchema } from './submit';
import { toolCallMessageSchema } from './tool-call';
import { toolResultMessageSchema } from './tool-result';
import { workMessageSchema } from './work-message';

const actions = {
  stateDelta: { k: 1 },
  artifactDelta: {},
  requestedAuthConfigs: {},
  requestedToolConfirmations: {},
};
const key = { appName: 'shop', userId: 'u', sessionId: 's', invocationId: `e-${'0'.repeat(36)}` };
const dispatchId = `d-${'0'.repeat(32)}`;
const ticket = { dispatchId, attempt: 1, deadlineMs: 5, hmac: 'h' };
const part = { functionCall: { name: 'add', args: { a: [1, null] }, id: 'c' }, ours: { newer: true } };
const content = { role: 'model', parts: [part, { text: 'hi' }] };
const event = { id: 'x', timestamp: 1.5, invocationId: 'i', author: 'root', content, actions };
const policy = { timeoutMs: 1, maxAttempts: 3, sideEffect: 'once', rateLimit: { calls: 1, perMs: 2 } };
const call = {
  ...{ dispatchId, stepKey: '0/t', index: 0, callId: 'c', agentName: 'root', tool: 'add', pool: 'default' },
  ...{ args: { a: 1 }, policy },
};
const unit = {
  ...{ ...key, runnerId: 'r', epoch: 1, segment: 0, appendNo: 1 },
  ...{ events: [{ stepKey: '0/e', event }], records: [], calls: [call], appliedCalls: [dispatchId] },
  ...{
    sending: [{ state: {}, userContent: content, calls: [{ dispatchId }] }],
    finish: { status: 'completed' },
  },
};
const execution = { worker: 'w', pid: 1, attempt: 1, durationMs: 0.5 };
const result = {
  ...key,
  tool: 'add',
  ticket,
  outcome: { kind: 'result', value: { sum: 3 } },
  actions,
  execution,
};

const messages: readonly (readonly [string, z.ZodType, object])[] = [
  ['an append', appendUnitSchema, unit],
  ['a call', toolCallMessageSchema, { ...key, call, ticket, state: { a: { b: [] } }, userContent: content }],
  ['a result', toolResultMessageSchema, result],
  ['an error', toolResultMessageSchema, { ...result, outcome: { kind: 'error', code: 'c', message: 'm' } }],
  ['an event', eventMessageSchema, { sessionUid: crypto.randomUUID(), seq: 1, stepKey: '0', event }],
  ['an answer', rpcReplySchema, { ok: true, value: null }],
  ['what an append is answered', appendedSchema, { lastSeq: 1, tickets: [ticket], cancelRequested: false }],
];

/** What a message may be forged or broken to. */
const piece = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('', 'user', '\u0000', -1, 0.5, Infinity, null, [], {}, { kind: 'result' }),
);

const NEW_NAMES = ['new', '__proto__', 'constructor', 'hasOwnProperty'];

/** Another at one place of it: changed, left out, or beside what is there. */
function broken(message: object, choose: (below: number) => number, value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(message)) as object;
  let place = copy as Record<string, unknown>;
  for (;;) {
    const names = Object.keys(place);
    const name = names[choose(names.length)] ?? 'new';
    const next = place[name];
    if (typeof next === 'object' && next !== null && choose(4) > 0) {
      place = next as Record<string, unknown>;
      continue;
    }
    const how = choose(4);
    if (Array.isArray(place))
      place.splice(choose(place.length + 1), how === 0 ? 1 : 0, ...(how === 1 ? [value] : []));
    else if (how === 0) Reflect.deleteProperty(place, name);
    else if (how === 1) define(place, NEW_NAMES[choose(NEW_NAMES.length)] ?? '', value);
    else define(place, name, value);
    return copy;
  }
}

/** As JSON.parse does, for `__proto__` too. */
function define(place: object, name: string, value: unknown): void {
  Object.defineProperty(place, name, { value, enumerable: true, writable: true, configurable: true });
}

function expectAsZod(schema: z.ZodType, value: unknown): void {
  const [ours, zods] = [parseChecked(schema, value), schema.safeParse(value)];
  expect(ours.success).toBe(zods.success);
  expect(ours.data).toStrictEqual(zods.data);
  expect(ours.error?.issues).toStrictEqual(zods.error?.issues);
}

describe('a message that is looked at, not copied', () => {
  it.each(messages)('is the one that came, where %s is sent as we send it', (_what, schema, message) => {
    const value: unknown = JSON.parse(JSON.stringify(message));

    const read = parseChecked(schema, value);

    expect(read.error).toBeUndefined();
    expect(read.data).toBe(value);
    expectAsZod(schema, value);
  });

  it.each(messages)(
    'is read or refused as its schema does, however %s is broken',
    (_what, schema, message) => {
      const choices = fc.infiniteStream(fc.nat());

      fc.assert(
        fc.property(choices, piece, fc.nat(2), (numbers, value, more) => {
          const choose = (below: number): number =>
            below === 0 ? 0 : (numbers.next().value as number) % below;
          let made = broken(message, choose, value);
          for (let n = 0; n < more; n++) made = broken(made as object, choose, value);
          expectAsZod(schema, made);
        }),
        { numRuns: 300 },
      );
    },
  );

  it.each([
    ['a default that is missing', z.object({ a: z.string().default('x') }), {}],
    ['a default below an optional', z.object({ a: z.string().default('x').optional() }), {}],
    ['an unknown that is missing', z.object({ a: z.unknown() }), {}],
    ['a text to be trimmed', z.object({ a: z.string().trim() }), { a: ' x ' }],
    ['a number read from text', z.object({ a: z.coerce.number() }), { a: '1' }],
    ['a whole number', z.object({ a: z.int() }), { a: 1.5 }],
    ['characters that are two of a text’s units each', z.object({ a: z.string().min(2) }), { a: '😀' }],
    ['an address', z.object({ a: z.email() }), { a: 'nobody' }],
    ['a list with a length', z.object({ a: z.array(z.string()).max(1) }), { a: ['x', 'y'] }],
    ['a rule for the whole', z.object({ a: z.string() }).refine(({ a }) => a !== 'x'), { a: 'x' }],
    ['names that are not allowed', z.strictObject({ a: z.string() }), { a: 'x', b: 1 }],
    ['rest of a kind', z.object({ a: z.string() }).catchall(z.number()), { a: 'x', b: '1' }],
    ['names of a kind', z.record(z.enum(['a', 'b']), z.number()), { a: 1 }],
    [
      'the first of two that fit',
      z.union([z.object({ a: z.string() }), z.looseObject({})]),
      { a: 'x', b: 1 },
    ],
    ['what is caught', z.object({ a: z.string().catch('x') }), { a: 1 }],
    ['what is turned into another', z.object({ a: z.string().transform((a) => a.length) }), { a: 'xy' }],
    ['a list for an object', z.looseObject({}), []],
    ['a null that may be', z.object({ a: z.string().nullable() }), { a: null }],
  ])('is the schema’s to read where it has rules of its own: %s', (_what, schema, value) => {
    expectAsZod(schema, value);
  });

  it('is read as its schema does, whatever a client sends in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const schema of [submitSchema, workMessageSchema, appendUnitSchema]) expectAsZod(schema, value);
      }),
    );
  });
});
