import { type Event } from '@skein/contracts';
import { asError } from '../error/describe-error';
import { createEventActions } from '../event/create-event';
import { SKIPPED_MODEL } from '../flow/answers-of';
import { Frame } from '../journal/frame';
import { type BaseAgent } from './base-agent';
import { firstAnswer, firstOfBoth } from './callbacks';
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
    const asking = askCallbacks(agent, context, 'before');
    const before = asking && (await asking);
    if (before) yield before.content ? agent.inItsPlace(before) : before;
    if (before?.content) context.endInvocation = true;
    if (hasEnded(context)) return;
    for await (const event of run()) {
      context.signal.throwIfAborted();
      yield context.ledger.adoptEvent(event);
    }
    const asked = hasEnded(context) ? undefined : askCallbacks(agent, context, 'after');
    const after = asked && (await asked);
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

type Kind = 'before' | 'after';
const HOOKS = { before: 'beforeAgentCallback', after: 'afterAgentCallback' } as const;

/** The event of what callbacks said or set; each stored one is not asked again. Nothing to wait for where there are none. */
function askCallbacks(
  agent: BaseAgent,
  context: InvocationContext,
  kind: Kind,
): Promise<Event | undefined> | undefined {
  const hook = HOOKS[kind];
  return agent[hook] || context.plugins.has(hook) ? eventOfCallbacks(agent, context, kind) : undefined;
}

async function eventOfCallbacks(
  agent: BaseAgent,
  context: InvocationContext,
  kind: Kind,
): Promise<Event | undefined> {
  const hook = HOOKS[kind];
  const step = { stepKey: context.frame.step(kind) };
  const stored = context.ledger.takeStored(step);
  if (stored) return stored;
  if (await context.ledger.takeEmpty(step.stepKey)) return undefined;
  // The agent went on without it before the crash: the callback is new since then.
  if (context.course.unread.firstBelow(context.frame.path, step.stepKey) !== undefined) return undefined;
  await context.beginNew();

  const actions = createEventActions();
  const callbackContext = new Context(context, { actions, frame: Frame.ofStep(step.stepKey) });
  const content = await firstOfBoth(context.plugins.first(hook, { agent, callbackContext }), () =>
    firstAnswer(agent[hook], callbackContext),
  );
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
