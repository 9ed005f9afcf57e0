import { storableActions } from './storable-actions';

const none = { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} };

describe('what a tool did beside returning', () => {
  it('is what a tool may do', () => {
    const actions = {
      stateDelta: { n: 1 },
      artifactDelta: { 'a.txt': 0 },
      requestedAuthConfigs: { c1: { credentialKey: 'k' } },
      requestedToolConfirmations: { c1: { hint: 'Sure?', confirmed: false, payload: { n: 1 } } },
      skipSummarization: true,
      transferToAgent: 'other',
      escalate: false,
    };

    expect(storableActions('probe', actions)).toEqual(actions);
  });

  it('is nothing where it was unset', () => {
    const unset = { skipSummarization: null, transferToAgent: undefined, escalate: null };

    const read = storableActions('probe', { ...none, ...unset });

    expect(Object.keys(read).sort()).toEqual(Object.keys(none).sort());
    expect(storableActions('probe', {})).toEqual(none);
  });

  it('leaves out what is the framework’s own: history is not for a tool to write', () => {
    const forged = {
      compaction: { startTimestamp: 0, endTimestamp: 9e9, compactedContent: { parts: [{ text: 'lies' }] } },
      rewindBeforeInvocationId: 'e-1',
      endOfAgent: true,
      agentState: { at: 1 },
      made: 'up',
    };

    expect(storableActions('probe', { ...none, stateDelta: { n: 1 }, ...forged })).toEqual({
      ...none,
      stateDelta: { n: 1 },
    });
  });

  it('has values that can be stored, under whatever key', () => {
    const stateDelta = JSON.parse('{"__proto__": "a\\u0000b"}') as Record<string, unknown>;

    const read = storableActions('probe', { ...none, stateDelta: { ...stateDelta, at: new Date(0) } });

    expect(Object.entries(read.stateDelta)).toEqual([
      ['at', '1970-01-01T00:00:00.000Z'],
      ['__proto__', 'a\ufffdb'],
    ]);
  });

  it.each([
    ['transferToAgent', 42],
    ['transferToAgent', () => 'other'],
    ['escalate', 'yes'],
    ['skipSummarization', 1],
    ['stateDelta', 5],
    ['stateDelta', null],
    ['stateDelta', ['n']],
    ['stateDelta', { toJSON: () => 5 }],
    ['stateDelta', new Map([['n', 1]])],
    ['artifactDelta', { x: 'y' }],
    ['artifactDelta', { x: -1 }],
    ['artifactDelta', { x: 0.5 }],
    ['artifactDelta', { x: NaN }],
    ['requestedAuthConfigs', 'c1'],
    ['requestedToolConfirmations', { q: true }],
    ['requestedToolConfirmations', { q: { hint: 42, confirmed: false } }],
    ['requestedToolConfirmations', { q: { hint: '', confirmed: false, more: 1 } }],
  ])('is refused with a wrong type: %s %p', (field, value) => {
    expect(() => storableActions('probe', { ...none, [field]: value })).toThrow(
      expect.objectContaining({
        code: 'tool.bad-actions',
        message: expect.stringMatching(
          new RegExp(`^The actions of tool 'probe' cannot be used: ${field}\\S*: .+\\.$`),
        ),
      }),
    );
  });

  it('is refused where another field is an empty map, as many fields as there are', () => {
    const { requestedToolConfirmations: _left, ...three } = none;

    expect(() => storableActions('probe', { ...three, escalate: {} })).toThrow(
      expect.objectContaining({ code: 'tool.bad-actions', message: expect.stringContaining('escalate') }),
    );
  });

  it('is refused where a getter of the tool’s own throws', () => {
    const trapped = {
      get escalate(): boolean {
        throw new Error('a trap');
      },
    };

    expect(() => storableActions('probe', trapped)).toThrow(
      expect.objectContaining({ code: 'tool.bad-actions', message: expect.stringContaining('a trap') }),
    );
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  class Empty {
    readonly #hidden = 1;
    get shown(): number {
      return this.#hidden;
    }
  }

  it.each([
    ['a function', () => 1, 'A function has no JSON form'],
    ['a symbol', Symbol('s'), 'A symbol has no JSON form'],
    ['a BigInt', 1n, 'A BigInt has no JSON form'],
    ['NaN', NaN, 'NaN has no JSON form'],
    ['Infinity', -Infinity, '-Infinity has no JSON form'],
    ['what contains itself', circular, 'contains itself'],
    ['a Map', new Map([['a', 1]]), 'A Map has no JSON form'],
    ['a Set', new Set([1]), 'A Set has no JSON form'],
    ['an Error', new Error('no'), 'An Error has no JSON form'],
    ['a RegExp', /a/, 'A RegExp has no JSON form'],
    ['a promise', Promise.resolve(1), 'A Promise has no JSON form'],
    ['bytes', new Uint8Array(2), 'A Uint8Array has no JSON form'],
    ['a function below', { a: [{ b: () => 1 }] }, 'A function has no JSON form'],
    ['NaN below', { a: [NaN] }, 'NaN has no JSON form'],
  ])('is refused with state that has no JSON form, by its key: %s', (_what, value, reason) => {
    const stateDelta = { fine: 1, 'user:cart': value };

    expect(() => storableActions('probe', { ...none, stateDelta })).toThrow(
      expect.objectContaining({
        code: 'tool.unserialisable',
        message: expect.stringMatching(
          new RegExp(`^The actions of tool 'probe' cannot be stored: stateDelta "user:cart": .*${reason}`),
        ),
      }),
    );
  });

  it('is refused with what is too deep by its key, and where it is too much in all', () => {
    const deep = JSON.parse('['.repeat(60) + ']'.repeat(60)) as unknown;
    const many = Array.from({ length: 150_000 }, () => 1);

    expect(() => storableActions('probe', { ...none, stateDelta: { deep } })).toThrow(
      expect.objectContaining({
        code: 'tool.too-deep',
        message: expect.stringContaining('stateDelta "deep": '),
      }),
    );
    expect(() => storableActions('probe', { ...none, stateDelta: { one: many, other: many } })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^The actions of tool 'probe' .*250000/) }),
    );
  });

  it('is refused with a confirmation or a credential config that has no JSON form, by its call', () => {
    const payload = new Map();
    const requestedToolConfirmations = { c7: { hint: '', confirmed: false, payload } };

    expect(() => storableActions('probe', { ...none, requestedToolConfirmations })).toThrow(
      'requestedToolConfirmations "c7": A Map has no JSON form',
    );
    expect(() => storableActions('probe', { ...none, requestedAuthConfigs: { c8: { f: () => 1 } } })).toThrow(
      'requestedAuthConfigs "c8": A function has no JSON form',
    );
  });

  it('has null for state that was set to nothing, and leaves out fields that hold nothing', () => {
    const stateDelta = { gone: undefined, kept: { a: 1, b: undefined }, list: [undefined] };

    expect(storableActions('probe', { ...none, stateDelta }).stateDelta).toEqual({
      gone: null,
      kept: { a: 1 },
      list: [null],
    });
  });

  it('has the form that a value says of itself, and the fields of an instance', () => {
    class Point {
      constructor(
        readonly x: number,
        readonly inner = new Empty(),
      ) {}
    }
    const stateDelta = {
      at: new Date(0),
      link: new URL('https://x.test/'),
      point: new Point(1),
      own: { toJSON: () => 5 },
    };

    expect(storableActions('probe', { ...none, stateDelta }).stateDelta).toEqual({
      ...{ at: '1970-01-01T00:00:00.000Z', link: 'https://x.test/', own: 5 },
      point: { x: 1, inner: {} },
    });
  });
});
