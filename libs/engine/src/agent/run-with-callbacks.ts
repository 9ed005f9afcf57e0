import { type Event } from '@skein/contracts';
import { asError } from '../error/describe-error';
import { createEventActions } from '../event/create-event';
import { SKIPPED_MODEL } from '../flow/answers-of';
import { Frame } from '../journal/frame';
import { type BaseAgent } from './base-agent';
import { firstAnswer } from './callbacks';
import { Context } from './context';
import { type InvocationContext } from './invocation-context';
import { readContent } from './read-content';

/** An agent's run with everything around it: plugins first, then the agent's own callbacks, before and after (B40). */
export async function* runWithCallbacks(
  agent: BaseAgent,
  context: InvocationContext,
  run: () => AsyncGenerator<Event, void>,
): AsyncGenerator<Event, void> {
  try {
    // Here too: a loop over agents that say nothing would never come to an end.
    context.signal.throwIfAborted();
    // It was done before this segment began, and so were its callbacks.
    if (context.agentStates?.hasEnded(agent.name)) return;
    const before = await askCallbacks(agent, context, 'before');
    if (before) yield before.content ? agent.inItsPlace(before) : before;
    if (before?.content) context.endInvocation = true;
    if (hasEnded(context)) return;
    for await (const event of run()) {
      context.signal.throwIfAborted();
      yield context.ledger.adoptEvent(event);
    }
    const after = hasEnded(context) ? undefined : await askCallbacks(agent, context, 'after');
    if (after) yield after;
    context.course.assertAllRead(context.frame);
  } catch (thrown) {
    context.signal.throwIfAborted();
    const { failures } = context;
    const seen = failures.note(thrown, context.agentName, context.frame);
    const error = asError(failures.thrownAs(seen));
    const params = { agent, callbackContext: new Context(context), error };
    await context.plugins.notifyError('onAgentErrorCallback', params);
    throw seen;
  }
}

/** Whatever ran below may have ended it. */
function hasEnded({ endInvocation }: InvocationContext): boolean {
  return endInvocation;
}

/** The event of what callbacks said or set; each stored one is not asked again. */
async function askCallbacks(
  agent: BaseAgent,
  context: InvocationContext,
  kind: 'before' | 'after',
): Promise<Event | undefined> {
  const hook = kind === 'before' ? 'beforeAgentCallback' : 'afterAgentCallback';
  const callbacks = agent[hook];
  if (!callbacks && !context.plugins.has(hook)) return undefined;
  const step = { stepKey: context.frame.step(kind) };
  const stored = context.ledger.takeStored(step);
  if (stored) return stored;
  if (await context.ledger.takeEmpty(step.stepKey)) return undefined;
  // The agent went on without it before the crash: the callback is new since then.
  if (context.course.unread.firstBelow(context.frame.path, step.stepKey) !== undefined) return undefined;
  await context.beginNew();

  const actions = createEventActions();
  const callbackContext = new Context(context, { actions, frame: Frame.ofStep(step.stepKey) });
  const content =
    (await context.plugins.first(hook, { agent, callbackContext })) ??
    (await firstAnswer(callbacks, callbackContext));
  if (content) {
    const customMetadata = { [SKIPPED_MODEL]: true };
    return context.ledger.createStepEvent(step, {
      content: readContent(content, 'model'),
      actions,
      customMetadata,
    });
  }
  // State that a callback set without saying anything still has to be stored (B40).
  if (hasEffect(actions)) return context.ledger.createStepEvent(step, { actions });
  // Also that it had nothing to say: asked again after a crash, it might say something else than what the log went on from.
  context.ledger.stageEmpty(step.stepKey);
  return undefined;
}

function hasEffect({ stateDelta, artifactDelta }: Event['actions']): boolean {
  return Object.keys(stateDelta).length > 0 || Object.keys(artifactDelta).length > 0;
}
