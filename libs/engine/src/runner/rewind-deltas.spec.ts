import fc from 'fast-check';
import { foldSessionState } from '../state/fold-state';
import { artifactsToRestore, type DeltasOfEvent, stateRestoringDelta } from './rewind-deltas';

const aKey = fc
  .tuple(fc.constantFrom('', '', 'app:', 'user:', 'temp:'), fc.constantFrom('a', 'b', 'c', '__proto__'))
  .map(([prefix, name]) => prefix + name);
const aDelta = fc.dictionary(aKey, fc.jsonValue({ maxDepth: 2 }));
const events = (deltas: readonly Record<string, unknown>[]): DeltasOfEvent[] =>
  deltas.map((stateDelta) => ({ stateDelta, artifactDelta: {} }));

describe('what a rewind restores (B55)', () => {
  it("gives a session's own state back as it was, but for nulls in the place of later keys (B55)", () => {
    fc.assert(
      fc.property(aDelta, fc.array(aDelta), (initial, deltas) => {
        const before = foldSessionState({}, [initial]);

        const restoring = stateRestoringDelta(before, events(deltas));

        const restored = Object.entries(foldSessionState(before, [...deltas, restoring]));
        const wasThere = new Map(Object.entries(before));
        expect(restored).toHaveLength(new Set([...wasThere.keys(), ...restored.map(([key]) => key)]).size);
        for (const [key, value] of restored) expect(value).toEqual(wasThere.get(key) ?? null);
      }),
    );
  });

  it('says nothing of keys that have their old value again, and of other scopes (B55)', () => {
    const deltas = [{ a: 2, b: { x: 1, y: 2 }, 'app:c': 1, 'user:c': 1, 'temp:c': 1 }, { a: 1 }];

    expect(stateRestoringDelta({ a: 1, b: { y: 2, x: 1 } }, events(deltas))).toEqual({});
  });

  it('names the version each changed artifact of the session had, or none (B55)', () => {
    const changes = (...deltas: Record<string, number>[]) =>
      deltas.map((artifactDelta) => ({ stateDelta: {}, artifactDelta }));
    const kept = changes({ old: 0, same: 0 }, { old: 1, 'user:mine': 0 });
    const takenBack = changes({ old: 2, fresh: 0 }, { old: 3, 'user:mine': 1 });

    expect(artifactsToRestore(kept, takenBack)).toEqual([
      { filename: 'old', version: 1 },
      { filename: 'fresh', version: undefined },
    ]);
  });
});
