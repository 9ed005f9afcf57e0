import { setTimeout as delay } from 'node:timers/promises';
import {
  AdkError,
  bucketOf,
  type JsonValue,
  subjects,
  type ToolCallMessage,
  type ToolProgress,
  type ToolResultMessage,
} from '@skein/contracts';
import { type MessagingConnection, Paced, publishCore, publishWork, WorkBody } from '@skein/messaging';
import { type ToolDesk } from './tool-desk';

type Result = Pick<ToolResultMessage, 'outcome' | 'actions' | 'execution' | 'retry'>;

const RESEND_DELAY_MS = 1_000;
const CONNECTED_MS = 5_000;
/** Twenty a second of one call. */
const PROGRESS_MS = 50;

/** What this worker sends of its calls: results, and how far they are. */
export class ToolPublisher {
  /** A server with the configuration of the version before lets no worker send to a runner; its next one may. */
  #maySendToRunners = true;

  constructor(
    private readonly connection: MessagingConnection,
    private readonly desk: Pick<ToolDesk, 'remainingMs'>,
  ) {
    // For as long as there is a connection; the publisher goes with it.
    connection.onReconnect(() => (this.#maySendToRunners = true));
  }

  /**
   * Settles once RESULTS has stored the result. While NATS is away the result is kept and sent again until the call's
   * deadline: running the tool once more would be dearer.
   */
  async publishResult(
    { appName, userId, sessionId, invocationId, call, ticket, resultTo }: ToolCallMessage,
    result: Result,
    signal: AbortSignal,
  ): Promise<void> {
    const { dispatchId, tool } = call;
    const body: ToolResultMessage = {
      appName,
      userId,
      sessionId,
      invocationId,
      tool,
      ticket,
      ...result,
    };
    const ofQueue = subjects.result(bucketOf(dispatchId));
    // The ticket's too: a call that is sent again may come to an attempt that was counted before.
    const msgId = `r.${dispatchId}.${ticket.attempt}.${result.execution.attempt}`;
    const work = new WorkBody(this.connection, body);
    let direct = resultTo;
    await this.#untilStored(ticket.deadlineMs, signal, async () => {
      const isInline = await work.isInline(CONNECTED_MS);
      if (direct !== undefined && isInline && (await this.#storedBy(direct, work, msgId))) return;
      direct = undefined;
      await publishWork(this.connection, ofQueue, work, { msgId });
    });
  }

  /** Takes what one attempt tells of its progress and sends the latest of it to who follows, until it is closed with the attempt. */
  progressOf({ invocationId, call, ticket }: ToolCallMessage, attempt: number): Paced<JsonValue> {
    const subject = subjects.progress(bucketOf(call.dispatchId));
    const isFollowed = call.policy.isFollowed ?? true;
    let n = 0;
    return new Paced(PROGRESS_MS, (value) => {
      if (!isFollowed) return;
      const body: ToolProgress = { invocationId, tool: call.tool, ticket, attempt, n: n++, value };
      // It may be lost, and the tool goes on.
      publishCore(this.connection, subject, body).catch(() => undefined);
    });
  }

  /**
   * Whether the stream has taken it on the way by which its runner hears it. That is tried once: while somebody hears a
   * subject, NATS does not say that no stream takes it, and nobody would know what else is amiss.
   */
  async #storedBy(direct: string, work: WorkBody, msgId: string): Promise<boolean> {
    if (!this.#maySendToRunners) return false;
    try {
      await publishWork(this.connection, direct, work, { msgId, attempts: 1 });
      return true;
    } catch (error) {
      // Whatever it is, the queue is the way that is sure: under the same id, so that the stream has it once.
      if (AdkError.from(error).code === 'nats.not-permitted') this.#maySendToRunners = false;
      return false;
    }
  }

  async #untilStored(deadlineMs: number, signal: AbortSignal, send: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await send();
        return;
      } catch (error) {
        const isLate = this.desk.remainingMs(deadlineMs) <= 0;
        if (signal.aborted || isLate || !isPassing(error)) throw error;
        await delay(RESEND_DELAY_MS, undefined, { signal });
      }
    }
  }
}

function isPassing(error: unknown): boolean {
  const { kind } = AdkError.from(error);
  return kind === 'unavailable' || kind === 'deadline';
}
