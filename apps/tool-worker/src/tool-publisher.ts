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
import { type MessagingConnection, Paced, publishCore, publishWork } from '@skein/messaging';
import { type ToolDesk } from './tool-desk';

type Result = Pick<ToolResultMessage, 'outcome' | 'actions' | 'execution' | 'retry'>;

const RESEND_DELAY_MS = 1_000;
/** Twenty a second of one call. */
const PROGRESS_MS = 50;

/** What this worker sends of its calls: results, and how far they are. */
export class ToolPublisher {
  constructor(
    private readonly connection: MessagingConnection,
    private readonly desk: Pick<ToolDesk, 'remainingMs'>,
  ) {}

  /**
   * Settles once RESULTS has stored the result. While NATS is away the result is kept and sent again until the call's
   * deadline: running the tool once more would be dearer.
   */
  async publishResult(
    { appName, userId, sessionId, invocationId, call, ticket, resultTo }: ToolCallMessage,
    result: Result,
    signal: AbortSignal,
  ): Promise<void> {
    const { dispatchId } = call;
    const body: ToolResultMessage = {
      ...{ appName, userId, sessionId, invocationId, tool: call.tool, ticket },
      ...result,
    };
    const ofQueue = subjects.result(bucketOf(dispatchId));
    // The ticket's too: a call that is sent again may come to an attempt that was counted before.
    const msgId = `r.${dispatchId}.${ticket.attempt}.${result.execution.attempt}`;
    const sendTo = (subject: string): Promise<unknown> =>
      publishWork(this.connection, subject, body, { msgId });
    await this.#untilStored(ticket.deadlineMs, signal, () =>
      resultTo === undefined
        ? sendTo(ofQueue)
        : sendTo(resultTo).catch(unlessPermitted(() => sendTo(ofQueue))),
    );
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

/** A server with the configuration of the version before lets no worker send to a runner. */
function unlessPermitted(instead: () => Promise<unknown>): (error: unknown) => Promise<unknown> {
  return (error) => {
    if (AdkError.from(error).code !== 'nats.not-permitted') throw error;
    return instead();
  };
}

function isPassing(error: unknown): boolean {
  const { kind } = AdkError.from(error);
  return kind === 'unavailable' || kind === 'deadline';
}
