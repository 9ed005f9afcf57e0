import { type Event, eventSchema } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type KnownStep } from '../agent/step-of-event';
import { readAs } from '../json/read-as';
import { applyEvent, applyStateDelta } from '../session/apply-event';
import { separateTemp } from '../state/state-scope';
import { observedStep } from '../telemetry/operations';
import { askHook } from './ask-hook';

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
  if (stamped.partial) {
    const piece = root.frame.pieceOf(root.ledger.stepOf(event)?.stepKey ?? root.frame.upcoming('event'));
    return isOwn && root.plugins.has('onEventCallback') ? asPluginsWant(root, stamped, piece) : stamped;
  }

  const { session, journal } = root.invocation;
  const step: KnownStep = root.ledger.stepOf(event) ?? { stepKey: root.frame.step('event') };
  const stored = journal.storedEvent(step.stepKey);
  const isAsked = isOwn && !stored && root.plugins.has('onEventCallback');
  const final = isAsked ? await asPluginsWant(root, stamped, step.stepKey) : (stored ?? stamped);
  // Left behind while a plugin looked at it: the run has been ended without it.
  if (isOwn) root.invocation.signal.throwIfAborted();
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
  root.replay.committed(step.stepKey);
  const { stepKey, hash, appliedCalls } = step;
  journal.stageEvent({ stepKey, hash, appliedCalls, event: shown, temp });
  return shown;
}

/** A plugin that leaves events alone leaves the very event, so that nothing is copied or recorded for it. */
async function asPluginsWant(root: InvocationContext, event: Event, stepKey: string): Promise<Event> {
  const params = { invocationContext: root, event };
  // The event may tell of what was paid for: a process that is to stop waits until it is in the journal.
  const changed = await observedStep(root.invocationId, 'on_event', () =>
    askHook(root, { hook: 'onEventCallback', about: stepKey }, () => root.plugins.changed(params)),
  );
  if (changed === event) return event;
  return readAs(eventSchema, changed, { code: 'plugin.bad-event', what: 'What a plugin made of an event' });
}

const OUR_METADATA = 'skein.';

/** The run's own metadata is on every event of it (B48). */
function withRunMetadata({ runConfig }: InvocationContext, event: Event): Event {
  if (!runConfig.customMetadata) return event;
  // Ours are not for whoever asks for a run to set.
  const asked = Object.entries(runConfig.customMetadata).filter(([key]) => !key.startsWith(OUR_METADATA));
  return { ...event, customMetadata: { ...Object.fromEntries(asked), ...event.customMetadata } };
}
