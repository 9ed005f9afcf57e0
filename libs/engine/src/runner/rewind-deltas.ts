import { type EventActions } from '@skein/contracts';
import { jsonEquals } from '../json/json-equals';
import { foldSessionState } from '../state/fold-state';
import { type StateRecord, USER_PREFIX } from '../state/state-scope';

/** As much of an event as taking it back needs. */
export type DeltasOfEvent = Pick<EventActions, 'stateDelta' | 'artifactDelta'>;

/** An artifact that changed since; without a version it did not exist. */
export interface ArtifactBefore {
  readonly filename: string;
  readonly version: number | undefined;
}

/**
 * The delta that makes a session's own state what it was before these events (B55): changed keys get their old value
 * back, keys that were not there become null. `app:` and `user:` keys are left as they are, other sessions use them too.
 */
export function stateRestoringDelta(
  before: StateRecord,
  takenBack: readonly DeltasOfEvent[],
): Record<string, unknown> {
  const old = new Map(Object.entries(before));
  const after = foldSessionState(
    before,
    takenBack.map(({ stateDelta }) => stateDelta),
  );
  const changed = Object.entries(after).filter(([key, value]) => !jsonEquals(value, old.get(key) ?? null));
  return Object.fromEntries(changed.map(([key]) => [key, old.get(key) ?? null]));
}

/**
 * The session's artifacts that these events changed, and which version each had before them (B55). A user's artifacts
 * are left as they are.
 */
export function artifactsToRestore(
  kept: readonly DeltasOfEvent[],
  takenBack: readonly DeltasOfEvent[],
): ArtifactBefore[] {
  const [before, after] = [versionsOf(kept), versionsOf([...kept, ...takenBack])];
  return [...after]
    .filter(([filename, version]) => !filename.startsWith(USER_PREFIX) && before.get(filename) !== version)
    .map(([filename]) => ({ filename, version: before.get(filename) }));
}

function versionsOf(events: readonly DeltasOfEvent[]): Map<string, number> {
  return new Map(events.flatMap(({ artifactDelta }) => Object.entries(artifactDelta)));
}
