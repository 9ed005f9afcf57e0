import { setTimeout as delay } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { type Delivery } from '@skein/messaging';
import { executeTool } from './execute-tool';
import { type RunnableTool, ToolCatalog } from './tool-catalog';
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
    private readonly settings: WorkerSettings,
  ) {}

  @MessagePattern(TOOL_CALL)
  async handle(@Payload() message: ToolCallMessage, @Ctx() delivery: Delivery): Promise<void> {
    const attempt = message.ticket.attempt + delivery.deliveryCount - 1;
    const startedAtMs = performance.now();
    const executed = refuse(message, delivery, attempt) ?? (await this.#findAndRun(message, delivery));
    if (!executed) return;
    const durationMs = Math.round(performance.now() - startedAtMs);
    const { worker } = this.settings;
    await this.publisher.publishResult(
      message,
      { ...executed, execution: { worker, pid: process.pid, attempt, durationMs } },
      delivery.signal,
    );
    this.#log(message, { attempt, durationMs, executed });
  }

  /** Nothing when the call was handed back for another worker. */
  async #findAndRun(message: ToolCallMessage, delivery: Delivery): Promise<ExecutedTool | undefined> {
    const found = await this.#find(message);
    if ('tool' in found) {
      const { resultLimitBytes } = this.settings;
      return executeTool({ tool: found.tool, message, stopping: delivery.signal, resultLimitBytes });
    }
    const returned = this.publisher.returnedBefore(delivery);
    if (returned >= this.settings.maxReturns) return planeError('tool.unknown', found.reason);
    // The slot is held meanwhile. A nak with a delay would free it, but count as an attempt of the call.
    await delay(this.settings.returnDelayMs, undefined, { signal: delivery.signal });
    await this.publisher.handBack(message, returned + 1);
    return undefined;
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

  #log(
    { call, invocationId, sessionId }: ToolCallMessage,
    { attempt, durationMs, executed }: { attempt: number; durationMs: number; executed: ExecutedTool },
  ): void {
    const { dispatchId, tool } = call;
    const outcome = executed.outcome.kind === 'error' ? executed.outcome.code : 'result';
    this.settings.logger.info(
      { dispatchId, invocationId, sessionId, tool, attempt, durationMs, outcome },
      'tool call finished',
    );
  }
}

/** Why a call is not run at all. */
function refuse(
  { call, ticket }: ToolCallMessage,
  { deliveryCount }: Delivery,
  attempt: number,
): ExecutedTool | undefined {
  if (Date.now() >= ticket.deadlineMs) {
    return planeError(
      'tool.deadline',
      `The deadline of tool '${call.tool}' had passed before a worker was free.`,
    );
  }
  // A second delivery is taken for a second start, but that is more than is known: a message also comes again when its
  // worker died before it began, or could not read the body. Such a call never ran and is reported as unknown all the
  // same. The other mistake would be the worse one: an effect that may happen once only
  // happening twice. That the call began will be known once a worker has to say so before it runs it.
  if (call.policy.sideEffect === 'once' && deliveryCount > 1) {
    return planeError(
      'tool.outcome-unknown',
      `'${call.tool}' was given to a worker before and no result came: whether it took effect is not known.`,
    );
  }
  if (attempt > call.policy.maxAttempts) {
    return planeError(
      'tool.attempts-spent',
      `Tool '${call.tool}' was started ${call.policy.maxAttempts} times and never finished.`,
    );
  }
  return undefined;
}
