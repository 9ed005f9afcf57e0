import { AdkError } from '@skein/contracts';
import { type MessagingConnection, withTraceparent } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import { confirmSent, givenUp, readUnsentCalls, type StorePool, type UnsentCall } from '@skein/session-store';
import { type EndedCalls } from '../calls/ended-calls';
import { publishCall } from '../calls/publish-call';
import { type ServiceMetrics } from '../service-metrics';

export interface UnsentCallsParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly ended: Pick<EndedCalls, 'giveUp'>;
  readonly metrics: ServiceMetrics;
  readonly secret: string;
  readonly sweepMs: number;
  readonly logger: Logger;
}

/** Shorter than the stream remembers an id, so that the first repeat of a call that did arrive is dropped, unless it only reads and left ahead (ADR 39). */
const MIN_GRACE_MS = 5_000;

/** Sends calls that are stored and not noted as sent, and after an outage of NATS all that are open. */
export class UnsentCalls {
  /** Until all that was sent before is sent again. */
  #reconnectedAtMs: number | undefined;

  constructor(private readonly parts: UnsentCallsParts) {}

  /** The server may have come back without what it held: its streams are not the record of anything. */
  reconnected(): void {
    this.#reconnectedAtMs = performance.now();
  }

  async sweep(): Promise<void> {
    const { pool, secret, sweepMs } = this.parts;
    const reconnectedAtMs = this.#reconnectedAtMs;
    const calls = await readUnsentCalls(pool, {
      secret,
      graceMs: Math.max(MIN_GRACE_MS, 2 * sweepMs),
      sentMoreThanMsAgo:
        reconnectedAtMs === undefined ? undefined : Math.floor(performance.now() - reconnectedAtMs),
    });
    await Promise.all(calls.map((call) => withTraceparent(call.traceparent, () => this.#send(call))));
    // What failed is found again, so only a look that finds nothing ends it; unless another reconnect came meanwhile.
    if (calls.length === 0 && this.#reconnectedAtMs === reconnectedAtMs) this.#reconnectedAtMs = undefined;
  }

  /** Noted as sent after the stream has it: a sweeper that dies in between leaves it to be sent once more. */
  async #send(call: UnsentCall): Promise<void> {
    const { pool, connection, metrics, logger } = this.parts;
    const fields = { ...workIdsOf(call.message), dispatchId: call.message.call.dispatchId };
    try {
      const { isDuplicate } = await publishCall(connection, call);
      await confirmSent(pool, [call]);
      if (isDuplicate) return;
      metrics.resentCalls.increment();
      logger.info(fields, 'call sent again');
    } catch (error) {
      const { kind } = AdkError.from(error);
      if (kind === 'invalid') return this.#endUnsendable(call, error);
      logger.warn({ ...fields, err: error }, 'call not sent, the next sweep tries again');
    }
  }

  /** No later sweep could send it either, and until its deadline it would take the place of one that can be sent. */
  async #endUnsendable({ message }: UnsentCall, error: unknown): Promise<void> {
    const { ended, logger } = this.parts;
    const { tool, dispatchId } = message.call;
    logger.warn({ ...workIdsOf(message), dispatchId, tool, err: error }, 'call cannot be sent');
    const result = givenUp(
      { ...message, tool },
      { code: 'tool.unsendable', message: `Tool '${tool}' was not called: ${AdkError.from(error).message}.` },
    );
    await ended.giveUp(result);
  }
}
