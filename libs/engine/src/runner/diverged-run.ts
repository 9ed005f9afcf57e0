import { AdkError, type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { isDivergence } from '../journal/divergence';
import { type Frame } from '../journal/frame';
import { type Journal } from '../journal/journal';
import { applyStateDelta, insertEvent } from '../session/apply-event';
import { separateTemp } from '../state/state-scope';
import { answerDanglingCalls } from './answer-dangling-calls';
import { commitEvent } from './commit-event';

const CLOSED = 'Not answered: the code of the run changed before this call was done.';
/** No agent can have this name. */
const STRETCH = 'after-divergence';

/**
 * A segment is one stretch, as long as its code goes the way that is stored. In an app that goes on behind a divergence the
 * next stretch begins there: what is stored becomes history, and steps have names of their own. Each beginning is on
 * record, so that a later owner makes the same history of it.
 */
export function nextStretch(segment: Frame): Frame {
  return segment.enter(STRETCH, { inOrder: true });
}

/** How many stretches of a segment are stored to be over. */
export function storedStretches(journal: Journal, segment: Frame): number {
  let count = 0;
  while (journal.storedRecord('step', stretchKey(segment, count))) count += 1;
  return count;
}

/** What the user said, as the first stretch of the segment stored it. */
export function saidBefore({ invocation }: InvocationContext, segment: Frame): Event['content'] {
  return invocation.journal.storedEvent(`${segment.path}/user.0`)?.content ?? invocation.userContent;
}

/**
 * Takes what is stored of a stretch, and is not in the session yet, into it as it is. In the log it stands before
 * whatever the run said that was not stored.
 */
export function* commitStored(
  root: InvocationContext,
  isMeant: (stepKey: string) => boolean = () => true,
): Generator<Event, void> {
  const { journal, session } = root.invocation;
  const there = new Set(session.events.map(({ id }) => id));
  const stored = root.storedSteps.filter((stepKey) => isOfStretch(stepKey, root.frame) && isMeant(stepKey));
  const ids = new Set(stored.map((stepKey) => journal.storedEvent(stepKey)?.id));
  const firstNew = session.events.findIndex((event) => root.ledger.stepOf(event) && !ids.has(event.id));
  let place = firstNew < 0 ? session.events.length : firstNew;
  for (const stepKey of stored) {
    const event = journal.storedEvent(stepKey);
    if (!event || there.has(event.id)) continue;
    const { stored: stateDelta, temp } = separateTemp(event.actions.stateDelta);
    const shown = { ...event, actions: { ...event.actions, stateDelta: { ...stateDelta } } };
    insertEvent(session, place, shown);
    applyStateDelta(session, temp);
    journal.stageEvent({ stepKey, event: shown, temp });
    // Not one more: what others wrote may have come in before it.
    place = session.events.indexOf(shown) + 1;
    if (event.author !== 'user') yield shown;
  }
}

function isOfStretch(stepKey: string, { path }: Frame): boolean {
  return stepKey.startsWith(`${path}/`) && !stepKey.startsWith(`${path}/${STRETCH}.`);
}

/**
 * After a failure: what is stored becomes history, but for the answers to open calls, which are made again. Answers
 * whether the run is to go on from there, its open calls answered and the next stretch on record: after a divergence, where
 * the app says so.
 */
export async function* goesOn(
  root: InvocationContext,
  segment: Frame,
  thrown: unknown,
): AsyncGenerator<Event, boolean> {
  // What was thrown before all that is stored was come to stands behind it in the log.
  yield* commitStored(root, (stepKey) => !stepKey.startsWith(`${root.frame.path}/dangling.`));
  if (!isDivergence(thrown)) return false;
  const { app, journal } = root.invocation;
  if (app.onDivergence !== 'continue') return false;
  for (const answers of answerDanglingCalls(root, CLOSED)) {
    yield await commitEvent(root, answers, { isOwn: false });
  }
  const stepKey = stretchKey(segment, storedStretches(journal, segment));
  journal.stageRecord({ stepKey, kind: 'step', payload: AdkError.from(thrown).details ?? null });
  return true;
}

function stretchKey(segment: Frame, index: number): string {
  return `${segment.path}/${STRETCH}.${index}`;
}
