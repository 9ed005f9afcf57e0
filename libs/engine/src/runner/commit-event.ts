import { AdkError, type Event, eventSchema } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { cleanJson } from '../json/clean-json';
import { applyEvent, applyStateDelta } from '../session/apply-event';
import { separateTemp } from '../state/state-scope';

/**
 * Takes an event into the session and the journal, as plugins want it shown and stored (B50); answers it as it is shown.
 * A partial one is only shown (B19). `isOwn: false` is for the events around a run, which no plugin changes.
 */
export async function commitEvent(
  root: InvocationContext,
  event: Event,
  { isOwn = true }: { readonly isOwn?: boolean } = {},
): Promise<Event> {
  const stamped = withRunMetadata(root, event);
  if (stamped.partial) return isOwn ? asPluginsWant(root, stamped) : stamped;

  const { session, journal } = root.invocation;
  const step = root.stepOf(event) ?? { stepKey: root.frame.step('event') };
  const stored = journal.storedEvent(step.stepKey);
  const final = stored ?? (isOwn ? await asPluginsWant(root, stamped) : stamped);
  if (!stored && final !== stamped) {
    // What the agent goes on from is its own event, after a crash too.
    journal.stageRecord({ stepKey: step.stepKey, kind: 'original', payload: stamped });
  }
  const { stored: stateDelta, temp } = separateTemp(final.actions.stateDelta);
  const shown =
    stateDelta === final.actions.stateDelta ? final : { ...final, actions: { ...final.actions, stateDelta } };
  applyEvent(session, shown);
  // Only in the live state, and gone with it: the session's log is the stored one (B56).
  applyStateDelta(session, temp);
  journal.stageEvent({ ...step, event: shown, temp });
  return shown;
}

/** A plugin that leaves events alone leaves the very event, so that nothing is copied or recorded for it. */
async function asPluginsWant(root: InvocationContext, event: Event): Promise<Event> {
  if (!root.plugins.has('onEventCallback')) return event;
  const changed = await root.plugins.changed({ invocationContext: root, event });
  return changed === event ? event : storable(changed);
}

/** An event of another shape would be refused by the store together with all that shares its unit. */
function storable(changed: Event): Event {
  const parsed = eventSchema.safeParse(cleanJson(changed));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw new AdkError(
    'invalid',
    'plugin.bad-event',
    `What a plugin made of an event cannot be used${where}: ${issue?.message ?? 'it has another shape'}.`,
  );
}

/** The run's own metadata is on every event of it (B48). */
function withRunMetadata({ runConfig }: InvocationContext, event: Event): Event {
  if (!runConfig.customMetadata) return event;
  return { ...event, customMetadata: { ...runConfig.customMetadata, ...event.customMetadata } };
}
