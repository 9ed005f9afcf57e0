import { randomUUID } from 'node:crypto';
import {
  AdkError,
  type CallRow,
  type Handover,
  inspectedInvocationSchema,
  subjects,
  toolCallMessageSchema,
  toolQueue,
  type ToolCallMessage,
  type ToolPolicy,
} from '@skein/contracts';
import { consumeWork } from '@skein/messaging';
import { z } from 'zod';
import { sharedServices } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  type FakeRunner,
  handoverOf,
  resultOf,
  startFakeRunner,
  submitTo,
} from './session-svc-harness';

/** One at a time. */
const LONE: ToolPolicy = {
  ...{ timeoutMs: 60_000, maxAttempts: 3, sideEffect: 'idempotent' },
  maxConcurrency: 1,
};

// No sweep comes within a test: what goes on, goes on because of the end itself.
const { ground, cleanup, atEnd } = sharedServices({ SWEEP_MS: '600000' });
let runner: FakeRunner;

beforeAll(async () => {
  runner = await startFakeRunner(ground, atEnd, undefined, 'unknown');
});

/** Takes the calls of a pool; `refuses` says which of them it takes for no call. */
async function aWorker(
  pool: string,
  refuses: (message: ToolCallMessage) => boolean = () => false,
): Promise<ToolCallMessage[]> {
  const taken: ToolCallMessage[] = [];
  const worker = await consumeWork(ground.connection, {
    ...toolQueue(pool),
    ...{ ackWaitMs: 30_000, maxDeliver: 5, concurrency: 4, schema: toolCallMessageSchema },
    handler: async (message) => {
      taken.push(message);
      if (refuses(message)) throw new AdkError('invalid', 'tool.args', 'no');
    },
  });
  cleanup.add(() => worker.stop(100));
  return taken;
}

/** An app of its own, so that its tool has a lane of its own. */
async function aRunWith(appName: string, calls: readonly CallRow[]): Promise<Handover> {
  const run = await handoverOf(runner, await submitTo(ground, aKey({ appName })));
  await appendTo(ground, aUnit(run, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [...calls] }));
  return run;
}

const callIn = (pool: string): CallRow => aCall({ pool, policy: LONE });
const names = (): readonly [string, string] => [`pool-${randomUUID()}`, `app-${randomUUID()}`];

describe('the end of a call', () => {
  it('that its worker refused lets the next one go at once, and its owner is told', async () => {
    const [pool, appName] = names();
    const [refused, next] = [callIn(pool), callIn(pool)];
    const taken = await aWorker(pool, ({ call }) => call.dispatchId === refused.dispatchId);

    await aRunWith(appName, [refused]);
    await aRunWith(appName, [next]);

    await eventually('the next call', () => taken.find(({ call }) => call.dispatchId === next.dispatchId));
    expect((await resultOf(runner, refused)).outcome).toMatchObject({ code: 'tool.poison' });
  }, 30_000);

  it('whose run was cancelled lets the next one go at once', async () => {
    const [pool, appName] = names();
    const [cancelled, next] = [callIn(pool), callIn(pool)];
    const taken = await aWorker(pool);
    const run = await aRunWith(appName, [cancelled]);
    await eventually('the call', () => taken[0]);
    await aRunWith(appName, [next]);
    expect(taken).toHaveLength(1);

    const { userId, sessionId, invocationId } = run;
    const request = { appName, userId, sessionId, invocationId };
    await ground.rpc.request(subjects.sessionRpc('cancel'), inspectedInvocationSchema, request, {
      timeoutMs: 5_000,
    });

    await eventually('the next call', () => taken.find(({ call }) => call.dispatchId === next.dispatchId));
  }, 30_000);
});

describe('a request to begin a call', () => {
  it.each([subjects.callRpc('begin'), subjects.toolRpc('begin')])(
    'on %s is refused where its ticket was not issued here, by one code',
    async (subject) => {
      const ticket = { dispatchId: aCall().dispatchId, attempt: 1, deadlineMs: 1, hmac: 'no' };
      const request = {
        ticket,
        invocationId: `e-${randomUUID()}`,
        tool: 'add',
        message: '1',
        handler: randomUUID(),
      };

      const asked = ground.rpc.request(subject, z.unknown(), request, { timeoutMs: 5_000 });

      await expect(asked).rejects.toMatchObject({ kind: 'denied', code: 'call.forged' });
    },
  );
});
