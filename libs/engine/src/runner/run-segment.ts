import { AdkError, type Event } from '@skein/contracts';
import { AgentStates } from '../agent/agent-states';
import { type Invocation } from '../agent/invocation';
import { InvocationContext } from '../agent/invocation-context';
import { compactAfterRun } from '../compaction/compact-after-run';
import { asError, describeError } from '../error/describe-error';
import { type Frame } from '../journal/frame';
import { answerDanglingCalls } from './answer-dangling-calls';
import { answeredCallEvent } from './answered-call';
import { askHook } from './ask-hook';
import { commitEvent } from './commit-event';
import { createUserEvent } from './create-user-event';
import { commitStored, goesOn, nextStretch, saidBefore, storedStretches } from './diverged-run';
import { findAgentToRun } from './find-agent-to-run';
import { runBeforeRun } from './run-before-run';
import { type SegmentInput } from './segment-input';

interface FramedInput extends Omit<SegmentInput, 'segment'> {
  /** Names the steps of this segment. */
  readonly frame: Frame;
}

/**
 * Runs one segment of an invocation: the user's event, then the agent's. Each event is in the session and staged in the
 * journal when it is yielded, in order, and need not be stored yet: who shows it awaits `journal.stored()` first, so
 * that the next model call may start meanwhile. A failure is stored as an error event, then thrown (B23).
 */
export async function* runSegment(invocation: Invocation, input: FramedInput): AsyncGenerator<Event, void> {
  const answered = answeredCallEvent(input.newMessage, invocation.session.events);
  const isResumable = invocation.app.resumabilityConfig?.isResumable ?? false;
  assertGoesOn(input, isResumable);
  const known = storedStretches(invocation.journal, input.frame);
  // The first stretch is the segment's own; another begins where the one before it diverged from what is stored.
  for (let stretch = 0; ; stretch++) {
    const frame = stretch === 0 ? input.frame : nextStretch(input.frame);
    const root = rootOf(invocation, frame, answered);
    if (stretch < known) {
      yield* commitStored(root);
      continue;
    }
    throwStoredFailure(root);
    try {
      if (stretch > 0) root.userContent = saidBefore(root, input.frame);
      const early = stretch === 0 ? await takeMessage(root, input) : undefined;
      if (early) yield await commitEvent(root, early, { isOwn: false });
      const events = early ? [] : eventsOfAgents(root, answered);
      for await (const event of events) yield shown(root, event);
      if (!early) root.course.assertAllRead(root.frame);
      await askHook(root, { hook: 'afterRunCallback', about: `${frame.path}/end` }, () =>
        root.plugins.notifyEnd({ invocationContext: root }),
      );
      for await (const event of compactAfterRun(root) ?? []) yield shown(root, event);
      return;
    } catch (raised) {
      invocation.signal.throwIfAborted();
      // Also when code that met it made another error of it.
      const thrown = root.course.divergence ?? root.failures.thrownAs(raised);
      if (yield* goesOn(root, input.frame, thrown)) continue;
      yield* failed(root, thrown);
      throw thrown;
    }
  }
}

function rootOf(invocation: Invocation, frame: Frame, answered: Event | undefined): InvocationContext {
  const { app, session, invocationId } = invocation;
  const isResumable = app.resumabilityConfig?.isResumable ?? false;
  return InvocationContext.root(invocation, frame, {
    branch: answered?.branch,
    agentStates: isResumable ? new AgentStates(session.events, invocationId, app.rootAgent) : undefined,
  });
}

/** Takes in what the user said; answers what a plugin answers in the agents' place, if any does. */
async function takeMessage(root: InvocationContext, input: FramedInput): Promise<Event | undefined> {
  const userEvent = await createUserEvent(root, input);
  // Left behind while a plugin looked at it, it has been told of by now.
  root.invocation.signal.throwIfAborted();
  if (userEvent) await commitEvent(root, userEvent, { isOwn: false });
  return runBeforeRun(root);
}

function eventsOfAgents(root: InvocationContext, answered: Event | undefined): AsyncGenerator<Event, void> {
  const { app, session } = root.invocation;
  const isResumable = app.resumabilityConfig?.isResumable ?? false;
  const question = { root: app.rootAgent, events: session.events, answered, isResumable };
  const { agent, branch } = findAgentToRun(question);
  return agent.runAsync(root, { branch });
}

/** Before anything is stored: what waits in the invocation goes on waiting. */
function assertGoesOn({ newMessage }: FramedInput, isResumable: boolean): void {
  if (newMessage || isResumable) return;
  throw new AdkError('invalid', 'run.not-resumable', 'Only a resumable app goes on without a new message.');
}

/** A run whose error is in the log has failed: repeated after a crash it must not go on behind it. */
function throwStoredFailure(root: InvocationContext): void {
  const told = root.ledger.takeStored({ stepKey: root.frame.upcoming('error') });
  if (told) throw new AdkError('internal', told.errorCode ?? 'run.failed', told.errorMessage ?? '');
}

function shown(root: InvocationContext, event: Event): Promise<Event> {
  return event.partial ? shownOnceStored(root, event) : commitEvent(root, event);
}

/** A chunk is shown at once, so what led to it has to be stored first (B64). */
async function shownOnceStored(root: InvocationContext, chunk: Event): Promise<Event> {
  await root.invocation.journal.stored();
  return commitEvent(root, chunk);
}

/** How a run that failed is told: its open calls answered, so that the next turn is valid, then what went wrong. */
async function* failed(root: InvocationContext, thrown: unknown): AsyncGenerator<Event, void> {
  const reason = `The run failed before this call was answered: ${describeError(thrown)}`;
  for (const answers of answerDanglingCalls(root, reason))
    yield await commitEvent(root, answers, { isOwn: false });
  yield await commitEvent(root, errorEvent(root, thrown), { isOwn: false });
  const params = { invocationContext: root, error: asError(thrown) };
  await askHook(root, { hook: 'onRunErrorCallback', about: `${root.frame.path}/error` }, () =>
    root.plugins.notifyError('onRunErrorCallback', params),
  );
}

/** By the agent that failed, so that the next turn finds it again (B49). */
function errorEvent(root: InvocationContext, thrown: unknown): Event {
  const error = asError(thrown);
  return root.ledger.createStepEvent(
    { stepKey: root.frame.step('error') },
    // Our own errors have codes; of others the class name is all there is (B23).
    { errorCode: AdkError.isInstance(error) ? error.code : error.name, errorMessage: error.message },
    { author: root.failures.agentOf(thrown) ?? root.rootAgent.name },
  );
}
