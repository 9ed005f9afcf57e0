import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { type CallRow, type ToolCallMessage, type ToolExecution } from '@skein/contracts';
import { type Delivery } from '@skein/messaging';
import { withWorkIds, workIdsOf } from '@skein/platform';
import { CancelledCalls } from './cancelled-calls';
import { executeTool } from './execute-tool';
import { findTool, type FoundTool } from '../catalog/find-tool';
import { type RunnableTool, ToolCatalog } from '../catalog/tool-catalog';
import { ToolDesk } from './tool-desk';
import { type ExecutedTool, planeError } from './tool-outcome';
import { ToolPublisher } from './tool-publisher';
import { WorkerSettings } from '../worker-settings';

export const TOOL_CALL = 'tool-call';

/** A call under way in this worker. */
interface TakenCall {
  readonly attempt: number;
  readonly message: ToolCallMessage;
  readonly delivery: Delivery;
  /** Aborted when nobody waits for the call any more. */
  readonly cancelled: AbortSignal;
}

/** What came of a call here: an outcome, nothing where it is somebody else's, or why no tool was run. */
type Done = ExecutedTool | Exclude<FoundTool, { tool: unknown }> | undefined;

/** Runs the calls of the pools this worker serves. The message is acked after what its result led to is stored, or the result itself. */
@Controller()
export class ToolCallConsumer {
  constructor(
    private readonly catalog: ToolCatalog,
    private readonly publisher: ToolPublisher,
    private readonly desk: ToolDesk,
    private readonly settings: WorkerSettings,
    private readonly cancelledCalls: CancelledCalls,
  ) {}

  @MessagePattern(TOOL_CALL)
  handle(@Payload() message: ToolCallMessage, @Ctx() delivery: Delivery): Promise<void> {
    return message.askStored === undefined
      ? this.#handleStored(message, delivery)
      : this.#handleHeld(message, delivery);
  }

  /** It may change something, and came while it was being stored. Of a worker that ends before that is known, another finds it out. */
  async #handleHeld(message: ToolCallMessage, delivery: Delivery): Promise<void> {
    const verdict = await this.desk.storedVerdict(message, delivery);
    if (verdict === 'stored') return this.#handleStored(message, delivery);
    if (verdict === 'unknown') {
      await this.desk.giveBack(message, delivery, 'unstarted');
      return;
    }
    const { dispatchId, tool } = message.call;
    this.settings.logger.info(
      { ...workIdsOf(message), dispatchId, tool },
      'call is not stored, and left alone',
    );
  }

  #handleStored(message: ToolCallMessage, delivery: Delivery): Promise<void> {
    return comesAgain(message, delivery)
      ? this.#handleAgain(message, delivery)
      : this.#handleAs(message.ticket.attempt + delivery.startedBefore, message, delivery);
  }

  /** Others may have died of it, or only beside it: it is not begun before that start of it is counted. */
  async #handleAgain(message: ToolCallMessage, delivery: Delivery): Promise<void> {
    const { desk, settings, catalog } = this;
    const { call, ticket } = message;
    const before = ticket.attempt + delivery.startedBefore;
    if (desk.remainingMs(ticket.deadlineMs) <= 0) return this.#handleAs(before, message, delivery);
    const isIsolated = catalog.known(message)?.runIsolated !== undefined;
    await settings.running.duringAgain(isIsolated, async (beside) => {
      const { verdict, attempt = before } = await desk.again(message, delivery, beside);
      if (verdict === 'run') return this.#handleAs(attempt, message, delivery);
      if (verdict === 'spent')
        return this.#give(spentCall(call), { attempt, durationMs: 0 }, message, delivery);
      const fields = { ...workIdsOf(message), dispatchId: call.dispatchId, tool: call.tool, verdict };
      settings.logger.info(fields, 'call left alone');
    });
  }

  async #handleAs(attempt: number, message: ToolCallMessage, delivery: Delivery): Promise<void> {
    const startedAtMs = performance.now();
    const remainingMs = this.desk.remainingMs(message.ticket.deadlineMs);
    const executed =
      refuse(message, remainingMs) ??
      (await withWorkIds(workIdsOf(message), () => this.#findAndRun(attempt, message, delivery)));
    if (!executed) return;
    const durationMs = Math.round(performance.now() - startedAtMs);
    await this.#give(executed, { attempt, durationMs }, message, delivery);
  }

  async #give(
    executed: ExecutedTool,
    made: Pick<ToolExecution, 'attempt' | 'durationMs'>,
    message: ToolCallMessage,
    delivery: Delivery,
  ): Promise<void> {
    const { worker } = this.settings;
    const execution = { worker, pid: process.pid, ...made };
    await this.publisher.publishResult(message, { execution, ...executed }, delivery);
    this.#tell(message, { executed, ...made });
  }

  /** Nothing when the call is not this worker's to run: handed back, or already begun elsewhere. */
  async #findAndRun(
    attempt: number,
    message: ToolCallMessage,
    delivery: Delivery,
  ): Promise<ExecutedTool | undefined> {
    const { call, invocationId } = message;
    const done = await this.settings.running.during(call, () =>
      this.cancelledCalls.during(invocationId, async (cancelled): Promise<Done> => {
        const remainingMs = this.desk.remainingMs(message.ticket.deadlineMs);
        const bounds = { remainingMs, stopping: delivery.signal, cancelled };
        const found = await findTool(this.catalog, message, bounds);
        return 'tool' in found ? this.#runOnce(found.tool, { attempt, message, delivery, cancelled }) : found;
      }),
    );
    if (done && 'ended' in done) return done.ended;
    return done && 'missing' in done ? this.#passOn(message, delivery, done.missing) : done;
  }

  /** To a worker that has the tool, unless none is known: then what is to be answered without it. */
  async #passOn(
    message: ToolCallMessage,
    delivery: Delivery,
    missing: ExecutedTool,
  ): Promise<ExecutedTool | undefined> {
    const verdict = await this.desk.giveBack(message, delivery, missing.retry ? 'away' : 'unknown');
    return verdict === 'unknown' ? missing : undefined;
  }

  /**
   * A call that may run once is begun in the database before it is run. That it was delivered before says little: the
   * worker that had it may have died before it began. That it was begun, and left no result, says enough.
   */
  async #runOnce(tool: RunnableTool, taken: TakenCall): Promise<ExecutedTool | undefined> {
    const { message, delivery } = taken;
    const { call } = message;
    const isOnce = call.policy.sideEffect === 'once';
    const { verdict } = isOnce ? await this.desk.begin(message, delivery) : { verdict: 'run' };
    switch (verdict) {
      case 'run':
        return this.#run(tool, taken);
      case 'lost':
        return planeError(
          'tool.outcome-unknown',
          `'${call.tool}' was begun by a worker before and no result came: whether it took effect is not known.`,
        );
      default:
        this.settings.logger.info(
          { ...workIdsOf(message), dispatchId: call.dispatchId, tool: call.tool, verdict },
          'call left alone',
        );
        return undefined;
    }
  }

  async #run(
    tool: RunnableTool,
    { attempt, message, delivery, cancelled }: TakenCall,
  ): Promise<ExecutedTool> {
    const { ticket } = message;
    const progress = this.publisher.progressOf(message, attempt);
    try {
      return await executeTool({
        tool,
        message,
        remainingMs: this.desk.remainingMs(ticket.deadlineMs),
        stopping: delivery.signal,
        cancelled,
        resultLimitBytes: this.settings.resultLimitBytes,
        tell: (value) => progress.offer(value),
        leaveBehind: this.#leaverOf(message),
      });
    } finally {
      progress.close();
    }
  }

  /** What goes on of a tool with a limit is announced: it still counts for that. */
  #leaverOf({ appName, call }: ToolCallMessage): ((run: Promise<unknown>) => void) | undefined {
    if (call.policy.maxConcurrency === undefined) return undefined;
    const { tool, pool } = call;
    return (run) => this.settings.running.leaveBehind({ appName, tool, pool }, run);
  }

  #tell(
    message: ToolCallMessage,
    { attempt, durationMs, executed }: { attempt: number; durationMs: number; executed: ExecutedTool },
  ): void {
    const { dispatchId, tool, pool } = message.call;
    const outcome = executed.outcome.kind === 'error' ? executed.outcome.code : 'result';
    this.settings.metrics.ended({ tool, pool, outcome, attempt, durationMs });
    const fields = { dispatchId, tool, attempt, durationMs, outcome, ...workIdsOf(message) };
    this.settings.logger.info(fields, 'tool call finished');
  }
}

/**
 * Whether others may have begun the call and died of it: its message came before, or it comes back from a worker after it did.
 * Of one that may run once that is known without: it is begun in the database.
 */
function comesAgain({ call, ticket, returned = 0 }: ToolCallMessage, { startedBefore }: Delivery): boolean {
  if (call.policy.sideEffect === 'once') return false;
  return startedBefore > 0 || (ticket.attempt > 1 && returned > 0);
}

/** Why a call is not run at all. */
function refuse({ call }: ToolCallMessage, remainingMs: number): ExecutedTool | undefined {
  if (remainingMs > 0) return undefined;
  return planeError(
    'tool.deadline',
    `The deadline of tool '${call.tool}' had passed before a worker was free.`,
  );
}

function spentCall({ tool, policy }: CallRow): ExecutedTool {
  const message = `Tool '${tool}' was given to workers ${policy.maxAttempts} times and no result came.`;
  return planeError('tool.attempts-spent', message);
}
