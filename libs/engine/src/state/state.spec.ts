import { State } from './state';

describe('State', () => {
  const stored = { a: 'session', b: 'session', c: 'session', none: null };
  const callback = { b: 'callback', c: 'callback' };

  it('reads the newest of tool actions, callback actions and session', () => {
    const state = new State(stored, [callback, { c: 'tool' }]);

    expect(['a', 'b', 'c', 'd'].map((key) => state.get(key))).toEqual([
      'session',
      'callback',
      'tool',
      undefined,
    ]);
    expect(state.toRecord()).toEqual({ a: 'session', b: 'callback', c: 'tool', none: null });
  });

  it('writes into the newest delta alone, and reads its own writes', () => {
    const toolDelta = {};
    const state = new State(stored, [callback, toolDelta]);

    state.set('a', 1);
    state.update({ 'user:x': 2 });

    expect(toolDelta).toEqual({ a: 1, 'user:x': 2 });
    expect([state.get('a'), state.get('user:x'), state.hasDelta()]).toEqual([1, 2, true]);
    expect([stored.a, callback]).toEqual(['session', { b: 'callback', c: 'callback' }]);
  });

  it('tells a null from what is not there, and takes no inherited name for a key', () => {
    const state = new State(stored, [{}]);

    expect([state.has('none'), state.get('none', 'default')]).toEqual([true, null]);
    expect([state.has('toString'), state.get('toString', 'default')]).toEqual([false, 'default']);
  });
});
