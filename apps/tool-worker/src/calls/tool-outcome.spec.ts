import { type EventActions } from '@skein/contracts';
import { createEventActions } from '@skein/engine';
import { resultOf, thrownOf } from './tool-outcome';

const LIMIT = 1_000_000;

function resultFor(value: unknown, limitBytes = LIMIT) {
  return resultOf('probe', value, createEventActions(), limitBytes).outcome;
}

function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('what a tool returned', () => {
  it('keeps JSON as it is, and takes nothing for null', () => {
    expect(resultFor({ city: 'Oslo', n: [1, 2] })).toEqual({
      kind: 'result',
      value: { city: 'Oslo', n: [1, 2] },
    });
    expect(resultFor(undefined)).toEqual({ kind: 'result', value: null });
  });

  it('makes text storable, in keys too', () => {
    expect(resultFor({ 'k\0': 'a\ud800b' })).toEqual({ kind: 'result', value: { 'k\ufffd': 'a\ufffdb' } });
  });

  it.each([
    ['a BigInt', { n: 1n }, 'tool.unserialisable', /BigInt/],
    ['a function', () => 1, 'tool.unserialisable', /function has no JSON form/],
    ['a symbol', Symbol('s'), 'tool.unserialisable', /symbol has no JSON form/],
    [
      'a getter that throws',
      Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      }),
      'tool.unserialisable',
      /no/,
    ],
    ['20,000 levels', nested(20_000), 'tool.too-deep', /56 levels/],
  ])('answers %s with an error the model can read', (_, value, code, message) => {
    expect(resultFor(value)).toEqual({
      kind: 'error',
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  it('answers a cycle with an error', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;

    expect(resultFor(cycle)).toMatchObject({ kind: 'error', code: 'tool.unserialisable' });
  });

  it('answers what is above the limit with both sizes', () => {
    const outcome = resultFor('x'.repeat(2_000), 1_000);

    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.result-too-large' });
    expect(outcome).toHaveProperty(
      'message',
      expect.stringMatching(/returned 2\d{3} bytes, above the limit of 1000/),
    );
  });

  it('keeps what the tool did to state, and refuses state that cannot be stored', () => {
    const fine = createEventActions({ stateDelta: { n: 1 } });
    const broken = createEventActions({ stateDelta: { n: 1n } });

    expect(resultOf('probe', 'ok', fine, LIMIT).actions.stateDelta).toEqual({ n: 1 });
    expect(resultOf('probe', 'ok', broken, LIMIT)).toMatchObject({
      outcome: { kind: 'error', code: 'tool.unserialisable' },
      actions: { stateDelta: {} },
    });
  });
});

describe('what a tool left in its actions', () => {
  it.each([
    ['a name that is none', { transferToAgent: 42 }],
    ['a yes that is none', { escalate: 'yes' }],
    ['no state', { stateDelta: 5 }],
    ['a version that is none', { artifactDelta: { x: 'y' } }],
    ['a question that is none', { requestedToolConfirmations: { q: true } }],
  ])('is an error the model reads when the store would refuse it: %s', (_, wrong) => {
    const actions = { ...createEventActions({ skipSummarization: true }), ...wrong } as EventActions;

    for (const done of [
      resultOf('probe', 'ok', actions, LIMIT),
      thrownOf('probe', new Error('late'), actions, LIMIT),
    ]) {
      expect(done.outcome).toMatchObject({ kind: 'error', code: 'tool.bad-actions' });
      expect(done.actions).toEqual(createEventActions());
    }
  });

  it('is nothing where it was unset, or is the framework’s own', () => {
    const others = {
      transferToAgent: null,
      escalate: null,
      endOfAgent: true,
      rewindBeforeInvocationId: 'e-1',
    };
    const actions = { ...createEventActions(), ...others } as unknown as EventActions;

    const done = resultOf('probe', 'ok', actions, LIMIT);

    expect(done).toEqual({ outcome: { kind: 'result', value: 'ok' }, actions: createEventActions() });
  });
});

describe('what a tool threw', () => {
  it.each([
    ['an error', new Error('the tool broke'), 'the tool broke'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['a string', 'plain', 'plain'],
    ['nothing', undefined, 'undefined'],
    ['an object without text', Object.create(null), 'something that has no text was thrown'],
    ['text with NUL', new Error('a\0b'), 'a\ufffdb'],
  ])('is an error with its text: %s', (_, error, message) => {
    const { outcome } = thrownOf('probe', error, createEventActions(), LIMIT);

    expect(outcome).toEqual({ kind: 'error', code: 'tool.threw', message });
  });

  it('keeps the state the tool set before', () => {
    const actions = createEventActions({ stateDelta: { tried: true } });

    expect(thrownOf('probe', new Error('late'), actions, LIMIT).actions.stateDelta).toEqual({ tried: true });
  });
});
