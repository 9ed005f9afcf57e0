import { type AppendUnit, traceStepOf } from '@skein/contracts';
import { type MessagingConnection, withinStep, WorkBody } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  lacksState,
  readCallsToSend,
  type StoredChain,
  type StoredUnit,
  type StorePool,
  type UnsentCall,
} from '@skein/session-store';
import { publishCall } from './publish-call';
import { type SentCalls } from './sent-calls';
import { Tasks } from '../tasks';

export interface CallSenderParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly sent: Pick<SentCalls, 'add'>;
  readonly secret: string;
  readonly logger: Logger;
}

/** Sends calls as their unit is stored. What it does not send, or does not live to, a sweep finds unsent. */
export class CallSender {
  readonly #tasks: Tasks;

  constructor(private readonly parts: CallSenderParts) {
    this.#tasks = new Tasks(parts.logger);
  }

  /** Resolves when nothing is being sent. */
  settled(): Promise<void> {
    return this.#tasks.settled();
  }

  /** Makes the calls of a chain ready; what it gives back sends them once that is committed, and returns at once. */
  prepare({ units, callsToSend, cancelRequested }: StoredChain): () => void {
    // Its result would not be read any more.
    if (cancelRequested) return () => undefined;
    const { connection } = this.parts;
    const ready = callsToSend.map((call) => ({
      call,
      body: new WorkBody(connection, call.message).makeReady(),
    }));
    return () => {
      for (const { call, body } of ready) this.#tasks.run('sending a call', () => this.#send(call, body));
      for (const unit of units) if (lacksState(unit)) this.replayed(unit, { cancelRequested });
    };
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
  async #send(call: UnsentCall, body?: WorkBody): Promise<void> {
    const { connection, sent, logger } = this.parts;
    const { invocationId, call: row } = call.message;
    const { dispatchId } = row;
    try {
      await withinStep(traceStepOf(invocationId, dispatchId), () => publishCall(connection, call, body));
      sent.add(call);
    } catch (error) {
      const fields = { ...workIdsOf(call.message), dispatchId, err: error };
      logger.warn(fields, 'stored call left to the sweep to send');
    }
  }
}
