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

  it('is refused with state that has no JSON form', () => {
    expect(() => storableActions('probe', { ...none, stateDelta: { n: 1n } })).toThrow(
      expect.objectContaining({ code: 'tool.unserialisable' }),
    );
  });
});
