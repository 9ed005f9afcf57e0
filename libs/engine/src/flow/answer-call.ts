import { type Attributes, type Span } from '@opentelemetry/api';
import { type EventActions, type FunctionCall, type ToolExecution } from '@skein/contracts';
import { firstAnswer, firstOfBoth } from '../agent/callbacks';
import { type CallSignal } from '../agent/call-signal';
import { Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { type StepOfEvent } from '../agent/step-of-event';
import { asError } from '../error/describe-error';
import { createEventActions } from '../event/create-event';
import { isDivergence } from '../journal/divergence';
import { ChildJournal } from '../journal/child-journal';
import { Frame } from '../journal/frame';
import { cleanJson } from '../json/clean-json';
import { copyJson } from '../json/copy-json';
import { type LlmRequest } from '../model/llm-request';
import { NO_MODEL_CONTENT, setContent } from '../telemetry/content-capture';
import { failSpan } from '../telemetry/open-span';
import { observedStep } from '../telemetry/operations';
import { spanOfCall } from '../telemetry/span-of-agent';
import { traced } from '../telemetry/trace';
import { AgentTool } from '../tool/agent-tool';
import { type BaseTool } from '../tool/base-tool';
import { askConfirmation } from './ask-confirmation';
import { clearedBefore, noteCleared } from './cleared-call';
import { type RoundProgress } from './round-progress';
import { type ToolRound } from './run-tool-round';
import { ToolError, UnknownTool } from './tool-error';

export interface CallOfTurn {
  readonly call: FunctionCall;
  readonly index: number;
  /** The round's, of the event that will hold the response. */
  readonly step: StepOfEvent;
  readonly dispatchId: string;
  /** Aborts with the round: on cancel, and when a sibling fails the run. */
  readonly signal: AbortSignal;
  /** What the call's code is given for it. */
  readonly callSignal: CallSignal;
  readonly progress: RoundProgress;
}

export interface AnsweredCall {
  readonly callId: string;
  readonly tool: string;
  readonly response: Record<string, unknown>;
  readonly actions: EventActions;
  readonly execution?: ToolExecution | undefined;
  /** Model answers of the agents the tool ran, by name. */
  readonly childAnswers?: Readonly<Record<string, number>> | undefined;
}

type Dict = Record<string, unknown>;

interface RunningCall extends CallOfTurn {
  readonly round: ToolRound;
  readonly tool: BaseTool;
  /** A copy: what before_tool changes is executed, the stored call event stays (B27). */
  readonly args: Dict;
  readonly toolContext: Context;
  /** What is recorded of the call stands under it. */
  readonly key: string;
  /** Callbacks and checks let it pass before a crash. */
  readonly isCleared: boolean;
}

/** Answers one call: callbacks and checks here, the tool wherever it is placed (B27). No answer for B29. */
export async function answerCall(round: ToolRound, turn: CallOfTurn): Promise<AnsweredCall | undefined> {
  const { call, dispatchId, signal, callSignal, step, index } = turn;
  const { stepKey } = step;
  const callId = call.id ?? dispatchId;
  const tool = findTool(round.toolsDict, call.name);
  const frame = Frame.ofCall(stepKey, index);
  const toolContext = new Context(round.context, {
    actions: createEventActions(),
    functionCallId: callId,
    idempotencyKey: dispatchId,
    toolConfirmation: round.confirmations?.get(callId),
    frame,
    signal,
    callSignal,
    reporter: {
      progress: (value) => turn.progress.tell(index, { callId, tool: tool.name, value }),
      // Nobody waits for signs of life here: a worker does, which has a reporter of its own.
      heartbeat: () => undefined,
    },
  });
  const key = `${stepKey}/${index}`;
  const place = { key, frame, signal, asked: call.args ?? {} };
  const clearing = clearedBefore(round.context, place, toolContext);
  const cleared = clearing && (await clearing);
  assertSameKind(round.context, frame, tool);
  const args = cleared ?? copyJson(call.args ?? {});
  // Its own fields first: behind a spread each would make a hidden class of its own.
  const running = { round, tool, args, toolContext, key, isCleared: cleared !== undefined, ...turn };

  const attributes = (): Attributes => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.description': tool.description,
    'gen_ai.tool.type': tool.constructor.name,
    'gen_ai.tool.call.id': callId,
    'gcp.vertex.agent.event_id': round.context.ledger.idOf(step),
    ...NO_MODEL_CONTENT,
  });
  const { result, execution } = await traced(
    `execute_tool ${tool.name}`,
    attributes,
    async (span) => {
      const called = await callTool(running, span);
      setContent(span, 'gcp.vertex.agent.tool_call_args', () => args);
      setContent(span, 'gcp.vertex.agent.tool_response', () => asResponse(called.result));
      return called;
    },
    () => spanOfCall(round.context, dispatchId, round.callEvent),
  );
  if (tool.isLongRunning && isEmpty(result)) return undefined;
  const { actions, childAnswers } = toolContext;
  return { callId, tool: tool.name, response: asResponse(result), actions, execution, childAnswers };
}

/** An agent that ran as this tool before a crash has done its part: a tool of another kind would do it over. */
function assertSameKind({ course, invocation }: InvocationContext, frame: Frame, tool: BaseTool): void {
  if (tool instanceof AgentTool || ChildJournal.beganAfter(invocation.journal, frame) === undefined) return;
  throw course.diverged(frame.upcoming('user'), `the tool '${tool.name}', which is no agent`);
}

/** Only what was put there: a model may ask for `toString`, which every object has. */
function findTool(toolsDict: LlmRequest['toolsDict'], name: string): BaseTool {
  const tool = Object.hasOwn(toolsDict, name) ? toolsDict[name] : undefined;
  return tool ?? new UnknownTool(name, Object.keys(toolsDict));
}

/** Runs a call's tool, unless a callback answers in its place, and has callbacks look at what it gave. */
async function callTool(running: RunningCall, span: Span): Promise<Called> {
  const { tool, args, toolContext } = running;
  const { agent, context } = running.round;
  const answering = running.isCleared
    ? undefined
    : firstOfBoth(context.plugins.first('beforeToolCallback', { tool, toolArgs: args, toolContext }), () =>
        firstAnswer(agent.callbacks.beforeToolCallback, { tool, args, context: toolContext }),
      );
  const answer = answering && (await answering);
  const executed = answer === undefined ? await checkAndExecute(running) : { result: answer };
  const failure = executed.error ?? executed.failure;
  if (failure) failSpan(span, failure);
  // An agent's run as a tool may come from the journal: nothing new is asked while others are still gone through.
  const live = context.replay.live(running.signal);
  if (live) await live;
  if (!isLookedAt(running, executed)) return settle(running, executed);
  // A process that is to stop waits: another one would have to run an inline tool a second time.
  return observedStep(context.invocationId, `after ${tool.name}`, () => settle(running, executed));
}

function isLookedAt({ round: { agent, context } }: RunningCall, { error }: Executed): boolean {
  const hooks = error
    ? (['onToolErrorCallback', 'afterToolCallback'] as const)
    : ['afterToolCallback' as const];
  return hooks.some((hook) => agent.callbacks[hook] !== undefined || context.plugins.has(hook));
}

async function settle(running: RunningCall, { result: given, error, execution }: Executed): Promise<Called> {
  const { tool, args, toolContext } = running;
  const { agent, context } = running.round;
  const result = error ? await recover(running, error) : given;
  const response = asResponse(result);
  const replaced = await firstOfBoth(
    context.plugins.first('afterToolCallback', { tool, toolArgs: args, toolContext, result: response }),
    () => firstAnswer(agent.callbacks.afterToolCallback, { tool, args, context: toolContext, response }),
  );
  return { result: replaced ?? result, execution };
}

/** What on_tool_error callbacks answer in a failed tool's place, else an error the model reads (B28). */
async function recover({ round, tool, args, toolContext }: RunningCall, error: Error): Promise<unknown> {
  const { agent, context } = round;
  const answer = await firstOfBoth(
    context.plugins.first('onToolErrorCallback', { tool, toolArgs: args, toolContext, error }),
    () => firstAnswer(agent.callbacks.onToolErrorCallback, { tool, args, context: toolContext, error }),
  );
  if (answer === undefined && agent.toolErrors === 'raise') throw error;
  return answer ?? { error: error.message };
}

interface Called {
  readonly result?: unknown;
  readonly execution?: ToolExecution | undefined;
}

interface Executed extends Called {
  /** The plane could not run it: what its span tells. */
  readonly failure?: Error;
  /** The tool itself failed. What the tool plane could not do is a result the model reads, never this. */
  readonly error?: Error;
}

async function checkAndExecute(running: RunningCall): Promise<Executed> {
  const { tool, toolContext } = running;
  const { agent, context } = running.round;
  if (tool instanceof UnknownTool) return { error: tool.error };
  const checked = running.isCleared ? { args: running.args } : await check(running);
  if (!('args' in checked)) return checked;
  const { args } = checked;
  const { outcome, execution } = await context.invocation.toolExecutor.execute(
    {
      dispatchId: running.dispatchId,
      stepKey: running.step.stepKey,
      index: running.index,
      callId: toolContext.functionCallId ?? running.dispatchId,
      agentName: agent.name,
      tool,
      args,
    },
    toolContext,
  );
  if (outcome.kind === 'result') return { result: outcome.value, execution };
  const failure = new ToolError(outcome.code, outcome.message);
  if (outcome.code === 'tool.threw' || outcome.code === 'tool.unknown') return { error: failure, execution };
  return { result: { error: outcome.message }, failure, execution };
}

/** The arguments as they may be sent, or what is answered in the tool's place. */
async function check(running: RunningCall): Promise<Executed | { readonly args: Dict }> {
  const { tool, toolContext, key } = running;
  const { agent, context } = running.round;
  const refusal = malformedArguments(running.call) ?? tool.refuseArguments(running.args);
  if (refusal !== undefined) return { result: { error: refusal } };
  try {
    // What callbacks put there has to be storable too: it is what a worker is sent.
    const args = cleanJson(running.args) as Dict;
    const answer = await askConfirmation(tool, args, toolContext);
    if (answer) return { result: answer };
    const isLookedAt =
      agent.callbacks.beforeToolCallback !== undefined || context.plugins.has('beforeToolCallback');
    if (isLookedAt) noteCleared(context, key, { args, actions: toolContext.actions });
    return { args };
  } catch (thrown) {
    if (isDivergence(thrown)) throw thrown;
    return { error: asError(thrown) };
  }
}

const MAX_QUOTED = 500;

/** The model is shown what it wrote: what it is told of the call itself has no arguments. */
function malformedArguments({ malformedArgs }: FunctionCall): string | undefined {
  if (malformedArgs === undefined) return undefined;
  return `The arguments are no JSON object, so the call was not made: ${malformedArgs.slice(0, MAX_QUOTED)}`;
}

/** A function response is an object: anything else goes below `result` (B29). */
function asResponse(result: unknown): Dict {
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  return isObject ? (result as Dict) : { result: result ?? null };
}

/** Falsy as the reference means it: nothing, an empty text, 0, false, an empty object or list. */
function isEmpty(result: unknown): boolean {
  if (!result) return true;
  return typeof result === 'object' && Object.keys(result).length === 0;
}
