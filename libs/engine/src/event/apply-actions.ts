import { type EventActions } from '@skein/contracts';
import { setOwn } from '../json/set-own';

/** Does to `target` what was done elsewhere, later: maps per key, everything else as a whole. */
export function applyActions(target: EventActions, actions: EventActions): void {
  const { stateDelta, artifactDelta, requestedAuthConfigs, requestedToolConfirmations, ...others } = actions;
  Object.assign(target, others);
  assignOwn(target.stateDelta, stateDelta);
  assignOwn(target.artifactDelta, artifactDelta);
  assignOwn(target.requestedAuthConfigs, requestedAuthConfigs);
  assignOwn(target.requestedToolConfirmations, requestedToolConfirmations);
}

function assignOwn<T>(target: Record<string, T>, source: Readonly<Record<string, T>>): void {
  for (const [key, value] of Object.entries(source)) setOwn(target, key, value);
}
