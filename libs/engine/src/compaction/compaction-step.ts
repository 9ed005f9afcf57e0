import { type Event } from '@skein/contracts';
import { type BaseAgent } from '../agent/base-agent';
import { type InvocationContext } from '../agent/invocation-context';
import { isLlmAgent } from '../agent/is-llm-agent';
import { type BaseLlm } from '../model/base-llm';
import { compactEvents, type CompactionPolicy, eventsDue } from './compact-events';

/** The compaction event that is due at this place, if any; a repeated run takes the stored one and asks nobody again. */
export async function* compactionStep(
  policy: CompactionPolicy,
  context: InvocationContext,
): AsyncGenerator<Event, void> {
  const config = context.invocation.app.eventsCompactionConfig;
  if (!config) return;
  const step = { stepKey: context.frame.step('compaction') };
  const stored = context.ledger.takeStored(step);
  if (stored) {
    yield stored;
    return;
  }
  const { session, branch, signal, invocationId } = context;
  if (!eventsDue(policy, { config, events: session.events, branch })) return;
  // The summarizer was asked before the crash, and had nothing to say: what followed went on without a summary.
  if (await context.ledger.takeEmpty(step.stepKey)) return;
  // The run went on from here without one: an event of somebody else's, or a changed app, makes it due only now.
  if (context.course.unread.firstBelow(context.frame.path) !== undefined) return;
  await context.beginNew();
  const model = config.summarizer ? undefined : (modelOf(context.agent) ?? modelOf(context.rootAgent));
  const request = { config, events: session.events, model, branch, signal, invocationId };
  const params = await compactEvents(policy, request);
  if (!params) {
    context.ledger.stageEmpty(step.stepKey);
    return;
  }
  const { author, ...event } = params;
  yield context.ledger.createStepEvent(step, event, { author });
}

/** The agent's own model, or that of the first agent below it that has one. */
function modelOf(agent: BaseAgent): BaseLlm | undefined {
  if (isLlmAgent(agent)) return agent.canonicalModel;
  for (const child of agent.subAgents) {
    const model = modelOf(child);
    if (model) return model;
  }
  return undefined;
}
