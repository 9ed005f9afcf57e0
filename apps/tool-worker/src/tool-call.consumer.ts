import { setTimeout as delay } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { type Delivery } from '@skein/messaging';
import { CancelledCalls } from './cancelled-calls';
import { executeTool } from './execute-tool';
import { type RunnableTool, ToolCatalog } from './tool-catalog';
import { ToolDesk } from './tool-desk';
import { type ExecutedTool, planeError } from './tool-outcome';
import { ToolPublisher } from './tool-publisher';
import { WorkerSettings } from './worker-settings';

export const TOOL_CALL = 'tool-call';

/** Runs the calls of the pools this worker serves. The message is acked after its result is stored, never before. */
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
  async handle(@Payload() message: ToolCallMessage, @Ctx() delivery: Delivery): Promise<void> {
    const attempt = message.ticket.attempt + delivery.startedBefore;
    const startedAtMs = performance.now();
    const remainingMs = this.desk.remainingMs(message.ticket.deadlineMs);
    const executed = refuse(message, attempt, remainingMs) ?? (await this.#findAndRun(message, delivery));
    if (!executed) return;
    const durationMs = Math.round(performance.now() - startedAtMs);
    const { worker } = this.settings;
    await this.publisher.publishResult(
      message,
      { ...executed, execution: { worker, pid: process.pid, attempt, durationMs } },
      delivery.signal,
    );
    this.#tell(message, { attempt, durationMs, executed });
  }

  /** Nothing when the call is not this worker's to run: handed back, or already begun elsewhere. */
  async #findAndRun(message: ToolCallMessage, delivery: Delivery): Promise<ExecutedTool | undefined> {
    const found = await this.#find(message);
    if ('tool' in found) {
      return this.settings.running.during(message.call, () => this.#runOnce(found.tool, message, delivery));
    }
    // While one of many workers has the tool, as at the start of a roll-out, a call may meet the others many times before.
    const isReturnedOften = this.publisher.returnedBefore(delivery) >= this.settings.maxReturns;
    if (isReturnedOften && !(await this.desk.isServed(message)))
      return planeError('tool.unknown', found.reason);
    // The slot is held meanwhile. A nak with a delay would free it, but count as an attempt of the call; so would the end
    // of this worker.
    await delay(this.settings.returnDelayMs, undefined, { signal: delivery.stopping }).catch(() => undefined);
    await this.publisher.handBack(message, delivery);
    return undefined;
  }

  /**
   * A call that may run once is begun in the database before it is run. That it was delivered before says little: the
   * worker that had it may have died before it began. That it was begun, and left no result, says enough.
   */
  async #runOnce(
    tool: RunnableTool,
    message: ToolCallMessage,
    delivery: Delivery,
  ): Promise<ExecutedTool | undefined> {
    const { call } = message;
    const isOnce = call.policy.sideEffect === 'once';
    const { verdict } = isOnce ? await this.desk.begin(message, delivery) : { verdict: 'run' };
    switch (verdict) {
      case 'run':
        return this.#run(tool, message, delivery);
      case 'lost':
        return planeError(
          'tool.outcome-unknown',
          `'${call.tool}' was begun by a worker before and no result came: whether it took effect is not known.`,
        );
      default:
        this.settings.logger.info(
          { dispatchId: call.dispatchId, tool: call.tool, verdict },
          'call left alone',
        );
        return undefined;
    }
  }

  async #run(tool: RunnableTool, message: ToolCallMessage, delivery: Delivery): Promise<ExecutedTool> {
    const { invocationId, ticket } = message;
    const progress = this.publisher.progressOf(message, ticket.attempt + delivery.startedBefore);
    try {
      return await this.cancelledCalls.during(invocationId, (cancelled) =>
        executeTool({
          tool,
          message,
          remainingMs: this.desk.remainingMs(ticket.deadlineMs),
          stopping: delivery.signal,
          cancelled,
          resultLimitBytes: this.settings.resultLimitBytes,
          tell: (value) => progress.offer(value),
        }),
      );
    } finally {
      progress.close();
    }
  }

  async #find(message: ToolCallMessage): Promise<{ tool: RunnableTool } | { reason: string }> {
    const { call } = message;
    try {
      const tool = await this.catalog.find(message);
      return tool ? { tool } : { reason: `No worker of pool '${call.pool}' knows the tool '${call.tool}'.` };
    } catch (error) {
      const { message: reason, kind } = AdkError.from(error);
      if (kind === 'internal') throw error;
      return { reason: `Tool '${call.tool}' cannot be loaded: ${reason}` };
    }
  }

  #tell(
    { call }: ToolCallMessage,
    { attempt, durationMs, executed }: { attempt: number; durationMs: number; executed: ExecutedTool },
  ): void {
    const { dispatchId, tool, pool } = call;
    const outcome = executed.outcome.kind === 'error' ? executed.outcome.code : 'result';
    this.settings.metrics.ended({ tool, pool, outcome, attempt, durationMs });
    this.settings.logger.info({ dispatchId, tool, attempt, durationMs, outcome }, 'tool call finished');
  }
}

/** Why a call is not run at all. */
function refuse({ call }: ToolCallMessage, attempt: number, remainingMs: number): ExecutedTool | undefined {
  if (remainingMs <= 0) {
    return planeError(
      'tool.deadline',
      `The deadline of tool '${call.tool}' had passed before a worker was free.`,
    );
  }
  // Of a call that may run once, deliveries say nothing about starts.
  if (attempt > call.policy.maxAttempts && call.policy.sideEffect !== 'once') {
    return planeError(
      'tool.attempts-spent',
      `Tool '${call.tool}' was started ${call.policy.maxAttempts} times and never finished.`,
    );
  }
  return undefined;
}
