import { type EventActions } from '@skein/contracts';
import { createEventActions } from '../event/create-event';
import { setOwn } from '../json/set-own';
import { APP_PREFIX, TEMP_PREFIX, USER_PREFIX } from '../state/state-scope';
import { type ToolAction } from './tool-options';

export interface SiftedActions {
  readonly actions: EventActions;
  /** What was left out, each as `<action>` or `<action>.<key>`, for whoever looks into it. */
  readonly dropped: readonly string[];
}

/** A tool may set a thousand keys that it did not declare: a log names some. */
const MAX_NAMED = 20;
const FLAGS = ['skipSummarization', 'transferToAgent', 'escalate'] as const;
const MAPS = ['stateDelta', 'artifactDelta', 'requestedAuthConfigs', 'requestedToolConfirmations'] as const;

/** Of what a tool did the part that it declared; all of it, where it declared nothing. */
export function declaredOnly(
  declared: readonly ToolAction[] | undefined,
  actions: EventActions,
): SiftedActions {
  if (declared === undefined) return { actions, dropped: [] };
  const kept = createEventActions();
  const dropped: string[] = [];
  const sift = (action: ToolAction, name: string, keep: () => void): void => {
    if (declared.includes(action)) keep();
    else if (dropped.length < MAX_NAMED) dropped.push(name);
  };
  for (const map of MAPS) {
    for (const [key, value] of Object.entries(actions[map])) {
      // The records differ in what they hold, and each gets what is its own.
      const record = kept[map] as Record<string, unknown>;
      sift(map === 'stateDelta' ? scopeOf(key) : map, `${map}.${key}`, () => setOwn(record, key, value));
    }
  }
  for (const flag of FLAGS) {
    if (actions[flag] !== undefined) sift(flag, flag, () => Object.assign(kept, { [flag]: actions[flag] }));
  }
  return { actions: kept, dropped };
}

/** Who may write to a session need not write to what all sessions of a user, or of an app, have in common. */
function scopeOf(key: string): ToolAction {
  if (key.startsWith(APP_PREFIX)) return 'app:';
  if (key.startsWith(USER_PREFIX)) return 'user:';
  return key.startsWith(TEMP_PREFIX) ? 'temp:' : 'stateDelta';
}
