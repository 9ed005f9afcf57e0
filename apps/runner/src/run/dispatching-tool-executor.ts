import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import {
  AdkError,
  attemptOf,
  type CallRow,
  type Handover,
  type OpenCall,
  type ToolResultMessage,
} from '@skein/contracts';
import {
  AgentTool,
  applyActions,
  type Context,
  declaredOnly,
  type ExecutedCall,
  InProcessToolExecutor,
  type Journal,
  storableActions,
  tellUndeclared,
  type ToolCall,
  ToolExecutor,
} from '@skein/engine';
import { type AppendPipeline, type GivenContext } from '@skein/session-client';
import { type PendingCalls } from './pending-calls';
import { type StepsUnderWay } from './steps-under-way';

export interface DispatchingToolExecutorParams {
  readonly handover: Handover;
  readonly pipeline: AppendPipeline;
  readonly journal: Journal;
  readonly pendingCalls: PendingCalls;
  readonly steps: StepsUnderWay;
  /** Counts the results with something that their tool had not declared. */
  readonly onUndeclared?: ((tool: string) => void) | undefined;
}

/** Runs calls in tool workers: has the call stored, which session-svc sends then, and awaits the first result. */
export class DispatchingToolExecutor extends ToolExecutor {
  readonly #inProcess = new InProcessToolExecutor();
  readonly #openCalls: ReadonlyMap<string, OpenCall>;

  constructor(private readonly params: DispatchingToolExecutorParams) {
    super();
    this.#openCalls = new Map(params.handover.openCalls.map((call) => [call.dispatchId, call]));
  }

  override async execute(call: ToolCall, toolContext: Context): Promise<ExecutedCall> {
    // Every call of a round listens on it; Node would take more than ten of them for a leak.
    setMaxListeners(0, toolContext.roundSignal);
    if (call.tool.placement === 'inline') return this.#runInline(call, toolContext);
    toolContext.roundSignal.throwIfAborted();
    const result = await abortable(this.#dispatch(call, toolContext), toolContext.roundSignal);
    const { outcome, execution } = result;
    try {
      this.#apply(call, toolContext, result);
      if (outcome.kind === 'result') this.params.pipeline.answeredBy(call.dispatchId, attemptOf(result));
      return { outcome, execution };
    } catch (error) {
      // What no worker of ours sends; the model reads it as it would had the tool run here.
      if (!AdkError.isInstance(error)) throw error;
      return { outcome: { kind: 'error', code: error.code, message: error.message }, execution };
    }
  }

  /** What the tool did in its worker, as if it had done it here: what tools may do, and of that what this one declared. */
  #apply(call: ToolCall, toolContext: Context, result: ToolResultMessage): void {
    const { name, actions: declared } = call.tool;
    const { actions, dropped } = declaredOnly(declared, storableActions(name, result.actions));
    applyActions(toolContext.actions, actions);
    if (dropped.length === 0) return;
    tellUndeclared(toolContext.invocationId, call, dropped);
    this.params.onUndeclared?.(name);
  }

  async #runInline(call: ToolCall, toolContext: Context): Promise<ExecutedCall> {
    // Its effects are outside the journal, so what led to it has to be stored first (B64).
    await this.params.journal.stored();
    toolContext.roundSignal.throwIfAborted();
    // An agent that runs as a tool has steps of its own.
    if (call.tool instanceof AgentTool) return this.#inProcess.execute(call, toolContext);
    const end = this.params.steps.begin();
    try {
      return await this.#inProcess.execute(call, toolContext);
    } finally {
      end();
    }
  }

  async #dispatch(call: ToolCall, toolContext: Context): Promise<ToolResultMessage> {
    const expected = this.params.pendingCalls.expect(call.dispatchId, call.stepKey, (value) =>
      toolContext.progress(value),
    );
    const open = this.#openCalls.get(call.dispatchId);
    // An earlier owner stored this call: session-svc has its result already, or sends it again and gets one.
    if (open?.result) this.params.pendingCalls.settle(open.result);
    if (open) return expected;
    return Promise.race([expected, this.#stage(call, toolContext).then(() => expected)]);
  }

  /**
   * Resolves once the call is stored. One that only reads leaves for its worker before (ADR 39), and its result is heard by the run's
   * own word then: what the run does next is stored behind the call, or refused with it.
   */
  async #stage(call: ToolCall, toolContext: Context): Promise<void> {
    const { pendingCalls, pipeline } = this.params;
    const { dispatchId, tool } = call;
    const nonce = tool.policy.readOnly === true ? randomUUID() : undefined;
    if (nonce !== undefined) pendingCalls.knowBy(dispatchId, { nonce, tool: tool.name });
    const row = this.#row(call, toolContext);
    const ticket = await pipeline.stageCall(row, () => contextOf(toolContext, nonce));
    if (ticket) pendingCalls.permit({ ticket, tool: row.tool });
  }

  #row(call: ToolCall, toolContext: Context): CallRow {
    const { policy } = call.tool;
    const isFollowed = this.params.handover.input.runConfig.streamingMode !== 'none';
    // What is as by default is left out, so that older processes read the same as ever.
    return toRow(call, toolContext, isFollowed ? policy : { isFollowed, ...policy });
  }
}

function toRow(call: ToolCall, { toolConfirmation }: Context, policy: CallRow['policy']): CallRow {
  const { dispatchId, stepKey, index, callId, agentName, tool, args } = call;
  return {
    dispatchId,
    stepKey,
    index,
    callId,
    agentName,
    tool: tool.name,
    pool: tool.pool,
    args,
    policy,
    ...(toolConfirmation ? { confirmation: toolConfirmation } : {}),
  };
}

/** A round that failed before its calls left reads no result, so they need not run. */
function contextOf(
  { roundSignal, actions, userContent, contextScope }: Context,
  nonce: string | undefined,
): GivenContext | undefined {
  if (roundSignal.aborted) return undefined;
  return { state: contextScope.session.state, stateDelta: actions.stateDelta, userContent, nonce };
}

async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Lost to the abort it rejects later, with nobody listening.
  promise.catch(() => undefined);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    // An AbortSignal's reason is what its owner aborted it with: always an Error here.
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
