import { setTimeout as delay } from 'node:timers/promises';
import {
  AdkError,
  bucketOf,
  type JsonValue,
  subjects,
  TAKEN_WITHIN_MS,
  takenResultSchema,
  type ToolCallMessage,
  type ToolProgress,
  type ToolResultMessage,
} from '@skein/contracts';
import {
  type Delivery,
  type MessagingConnection,
  Paced,
  publishCore,
  publishWork,
  RpcClient,
  WorkBody,
} from '@skein/messaging';
import { type ToolDesk } from './tool-desk';

type Result = Pick<ToolResultMessage, 'outcome' | 'actions' | 'execution' | 'retry'>;
type Held = Pick<Delivery, 'signal' | 'aside'>;

const RESEND_DELAY_MS = 1_000;
const CONNECTED_MS = 5_000;
/** Twenty a second of one call. */
const PROGRESS_MS = 50;

/** What this worker sends of its calls: results, and how far they are. */
export class ToolPublisher {
  readonly #rpc: RpcClient;
  /** A server with the configuration of the version before lets no worker ask a runner; its next one may. */
  #mayAskRunners = true;

  constructor(
    private readonly connection: MessagingConnection,
    private readonly desk: Pick<ToolDesk, 'remainingMs'>,
  ) {
    this.#rpc = new RpcClient(connection);
    // For as long as there is a connection; the publisher goes with it.
    connection.onReconnect(() => (this.#mayAskRunners = true));
  }

  /**
   * Settles once the runner that waits for the result has stored its response event, or RESULTS the result. While NATS is away
   * the result is kept and sent again until the call's deadline: running the tool once more would be dearer.
   */
  async publishResult(message: ToolCallMessage, result: Result, { signal, aside }: Held): Promise<void> {
    const { appName, userId, sessionId, invocationId, call, ticket } = message;
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
    const msgId = `r.${dispatchId}.${ticket.attempt}.${result.execution.attempt}${sendingOf(message)}`;
    const work = new WorkBody(this.connection, body);
    let runner = runnerFor(message, result);
    await this.#untilStored(ticket.deadlineMs, signal, async () => {
      const isInline = await work.isInline(CONNECTED_MS);
      const asked = isInline && this.#mayAskRunners ? runner : undefined;
      runner = undefined;
      if (asked !== undefined && (await aside(() => this.#isTakenBy(asked, work, signal)))) return;
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

  /** Whether the runner says that it has stored what this result led to; asked once. */
  async #isTakenBy(subject: string, work: WorkBody, signal: AbortSignal): Promise<boolean> {
    try {
      const options = { timeoutMs: TAKEN_WITHIN_MS, signal };
      const { disposition } = await this.#rpc.request(subject, takenResultSchema, work, options);
      return disposition === 'applied';
    } catch (error) {
      // Whatever it is, the queue is the way that is sure; what the runner has all the same it says of the second one.
      if (AdkError.from(error).code === 'nats.not-permitted') this.#mayAskRunners = false;
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

/** A call that only reads may have been sent before for a unit that was refused: its result is not that of this sending. */
function sendingOf({ call, ticket }: ToolCallMessage): string {
  return call.policy.readOnly === true ? `.${ticket.deadlineMs}` : '';
}

/**
 * Who is asked to take it. What a failure comes to session-svc decides; and of a call that may run once the result is to outlive
 * this process and the runner's: no other worker makes it again.
 */
function runnerFor({ answerTo, call }: ToolCallMessage, { outcome }: Result): string | undefined {
  return outcome.kind === 'result' && call.policy.sideEffect !== 'once' ? answerTo : undefined;
}

function isPassing(error: unknown): boolean {
  const { kind } = AdkError.from(error);
  return kind === 'unavailable' || kind === 'deadline';
}
