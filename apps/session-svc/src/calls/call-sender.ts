import { type AppendUnit, traceStepOf } from '@skein/contracts';
import { type MessagingConnection, withinStep } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  confirmSent,
  lacksState,
  readCallsToSend,
  type SentCall,
  type StoredChain,
  type StoredUnit,
  type StorePool,
  type UnsentCall,
} from '@skein/session-store';
import { publishCall } from './publish-call';
import { Tasks } from '../tasks';

/** Most calls have ended by then, and cost nothing. */
const NOTE_MS = 1_000;

export interface CallSenderParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly secret: string;
  readonly logger: Logger;
}

/** Sends calls as their unit is stored. What it does not send, or does not live to, a sweep finds unsent. */
export class CallSender {
  readonly #tasks: Tasks;
  /** Sent, and not noted as sent in the database. */
  #sent: SentCall[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: CallSenderParts) {
    this.#tasks = new Tasks(parts.logger);
  }

  start(): void {
    this.#timer = setInterval(() => this.#tasks.run('noting sent calls', () => this.#note()), NOTE_MS);
  }

  /** Sends what is left and notes it. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#tasks.settled();
    await this.#note();
  }

  /** Takes a committed chain; returns at once. */
  stored({ units, callsToSend, cancelRequested }: StoredChain): void {
    // Its result would not be read any more.
    if (cancelRequested) return;
    for (const call of callsToSend) this.#tasks.run('sending a call', () => this.#send(call));
    for (const unit of units) if (lacksState(unit)) this.replayed(unit, { cancelRequested });
  }

  /** A unit was found stored: whoever stored it may have died before its calls were sent. */
  replayed(unit: AppendUnit, { cancelRequested }: Pick<StoredUnit, 'cancelRequested'>): void {
    const { pool, secret } = this.parts;
    if (cancelRequested || !unit.sending?.length) return;
    this.#tasks.run('sending stored calls', async () => {
      const calls = await readCallsToSend(pool, secret, unit);
      await Promise.all(calls.map((call) => this.#send(call)));
    });
  }

  /** Below the span of the call itself, which is the runner's. */
  async #send(call: UnsentCall): Promise<void> {
    const { connection, logger } = this.parts;
    const { invocationId, call: row } = call.message;
    const { dispatchId } = row;
    try {
      await withinStep(traceStepOf(invocationId, dispatchId), () => publishCall(connection, call));
      const { ticket, returned } = call.message;
      // Not with the state it was sent with.
      this.#sent.push({ readAtMs: call.readAtMs, message: { ticket, returned } });
    } catch (error) {
      const fields = { ...workIdsOf(call.message), dispatchId, err: error };
      logger.warn(fields, 'stored call left to the sweep to send');
    }
  }

  /** What is not noted is sent once more by a sweep, which the stream knows for the same. */
  async #note(): Promise<void> {
    const calls = this.#sent;
    this.#sent = [];
    await confirmSent(this.parts.pool, calls);
  }
}
