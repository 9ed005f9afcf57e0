import { applyActions } from './apply-actions';
import { createEventActions } from './create-event';

describe('actions that were done elsewhere', () => {
  it('are added per key to those done here, the later one winning, and keep what only these have', () => {
    const target = createEventActions({
      stateDelta: { here: 1, both: 'here' },
      requestedToolConfirmations: { c1: { hint: 'asked here' } },
      skipSummarization: true,
    });

    applyActions(
      target,
      createEventActions({
        stateDelta: JSON.parse('{"__proto__":"a key","both":"there"}') as Record<string, unknown>,
        artifactDelta: { 'a.txt': 2 },
        requestedToolConfirmations: { c2: { hint: 'asked there' } },
        transferToAgent: 'child',
      }),
    );

    expect(target).toEqual({
      ...createEventActions({
        stateDelta: JSON.parse('{"here":1,"both":"there","__proto__":"a key"}') as Record<string, unknown>,
        artifactDelta: { 'a.txt': 2 },
        requestedToolConfirmations: { c1: { hint: 'asked here' }, c2: { hint: 'asked there' } },
      }),
      skipSummarization: true,
      transferToAgent: 'child',
    });
    expect(Object.keys(target.stateDelta)).toContain('__proto__');
  });
});
