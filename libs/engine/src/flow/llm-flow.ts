import { AdkError, type Event } from '@skein/contracts';
import { isPaused } from '../agent/checkpoint';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type BaseAgent } from '../agent/base-agent';
import { getFunctionResponses, hasFunctionCalls } from '../event/function-parts';
import { isFinalResponse } from '../event/is-final-response';
import { type LlmRequest } from '../model/llm-request';
import { TRANSFER_TO_AGENT } from '../tool/transfer-to-agent-tool';
import { callModel } from './call-model';
import { createRequest } from './create-request';
import { unansweredCallEvent, unfollowedTransfer } from './interrupted-round';
import { isStream } from './request-processor';
import { runCode } from './run-code';
import { runToolRound } from './run-tool-round';
import { transferTarget } from './transfer-target';

const MAX_DEPTH = 100;

/** The Flow: rounds of one model call and the tools it asks for, until an event is final (B15). */
export async function* runLlmFlow(agent: LlmAgent, context: InvocationContext): AsyncGenerator<Event, void> {
  for (let round = 0; ; round++) {
    if (agent.maxIterations > 0 && round >= agent.maxIterations) {
      yield iterationLimitEvent(agent, context);
      return;
    }
    let last: Event | undefined;
    for await (const event of runRound(agent, context, round)) {
      last = event;
      yield event;
    }
    if (!last || last.partial || last.errorCode || isFinalResponse(last) || context.endInvocation) return;
    // Another agent had its turn and ended it as it liked, with a question to the user for one (B20): so this one ends.
    if (last.author !== agent.name) return;
  }
}

async function* runRound(
  agent: LlmAgent,
  context: InvocationContext,
  round: number,
): AsyncGenerator<Event, void> {
  const handedTo = round === 0 ? unfollowedTransfer(context) : undefined;
  if (handedTo !== undefined) {
    yield* transferTarget(agent, handedTo).runAsync(context);
    return;
  }
  const request = createRequest(agent, context);
  for (const processor of agent.requestProcessors) {
    const made = processor.run(agent, context, request);
    if (made === undefined) continue;
    if (!isStream(made)) await made;
    else if (yield* followTransfer(agent, context, made)) return;
    if (context.endInvocation) return;
  }
  // Of a resumed app the calls of the cut round come first; the model was asked for them already (B54).
  const interrupted = round === 0 ? unansweredCallEvent(context) : undefined;
  if (interrupted) {
    yield* followUp(agent, context, request, interrupted);
    return;
  }
  // Nothing is asked of the model before somebody outside has answered (B54).
  if (isPaused(context)) return;
  const answers: Event[] = [];
  for await (const event of callModel(agent, context, request)) {
    yield event;
    // A partial event never triggers tools (B19): its calls may be incomplete.
    if (!event.partial) answers.push(event);
  }
  // After the call itself has ended, so that its span does not last as long as the tools.
  for (const answer of answers) {
    if (asksForMore(agent, answer)) yield* followUp(agent, context, request, answer);
  }
}

function asksForMore({ codeExecutor }: LlmAgent, answer: Event): boolean {
  return codeExecutor !== undefined || hasFunctionCalls(answer);
}

/** What a whole answer asks for: its code to be run, its tools to be called, another agent to go on. */
async function* followUp(
  agent: LlmAgent,
  context: InvocationContext,
  request: LlmRequest,
  answer: Event,
): AsyncGenerator<Event, void> {
  if (agent.codeExecutor) yield* runCode(agent, context, answer);
  if (!hasFunctionCalls(answer)) return;
  const round = runToolRound({ agent, context, toolsDict: request.toolsDict, callEvent: answer });
  yield* followTransfer(agent, context, round);
}

/** Yields events; if a tool among them handed over (B37), has that agent go on, and answers true. */
async function* followTransfer(
  agent: LlmAgent,
  context: InvocationContext,
  events: AsyncGenerator<Event, void>,
): AsyncGenerator<Event, boolean> {
  let handingOver: Event | undefined;
  for await (const event of events) {
    if (event.actions.transferToAgent !== undefined) handingOver = event;
    yield context.ledger.adoptEvent(event);
  }
  if (!handingOver || context.endInvocation) return false;
  assertNotTooDeep(context);
  const target = targetOf(handingOver, agent, context);
  // Done before this segment began, it has something new to do.
  context.agentStates?.reset(target);
  yield* target.runAsync(context);
  return true;
}

/** Throws `REPLAY_DIVERGED` where the tool could hand over when it ran, and there is no such agent any more. */
function targetOf(event: Event, agent: LlmAgent, context: InvocationContext): BaseAgent {
  const name = event.actions.transferToAgent ?? '';
  try {
    return transferTarget(agent, name);
  } catch (refused) {
    const { stepKey } = context.ledger.stepOf(event) ?? {};
    const isStored = stepKey !== undefined && context.invocation.journal.storedEvent(stepKey) !== undefined;
    // The tool looks for the agent before it hands over; one of an author's may have named whom it liked.
    const wasAllowed = getFunctionResponses(event).some(({ name: tool }) => tool === TRANSFER_TO_AGENT);
    if (!isStored || !wasAllowed) throw refused;
    throw context.course.diverged(`${stepKey} (a hand-over to '${name}')`, AdkError.from(refused).message);
  }
}

/** Each hand-over is a run within the run before it: agents that send each other on without end would fill the stack. */
function assertNotTooDeep({ frame }: InvocationContext): void {
  if (frame.depth < MAX_DEPTH) return;
  throw new AdkError(
    'invalid',
    'agent.transfer-depth',
    `Agents handed over to each other until ${MAX_DEPTH} of them waited for one another.`,
  );
}

function iterationLimitEvent(agent: LlmAgent, context: InvocationContext): Event {
  return context.ledger.createStepEvent(
    { stepKey: context.frame.step('error') },
    {
      errorCode: 'MAX_ITERATIONS',
      errorMessage: `Agent "${agent.name}" reached its limit of ${agent.maxIterations} rounds in one turn.`,
    },
  );
}
