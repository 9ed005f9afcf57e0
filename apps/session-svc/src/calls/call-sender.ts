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
  waitsUntilStored,
} from '@skein/session-store';
import { publishCall, type PublishCallOptions } from './publish-call';
import { type SentCalls } from './sent-calls';
import { type StoredCalls } from './stored-calls';
import { Tasks } from '../tasks';

export interface CallSenderParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly sent: Pick<SentCalls, 'add'>;
  readonly stored: Pick<StoredCalls, 'subject' | 'leaves' | 'decide' | 'putOff'>;
  readonly secret: string;
  readonly logger: Logger;
}

/** Sends calls as their unit is stored. What it does not send, or does not live to, a sweep finds unsent. */
export class CallSender {
  readonly #tasks: Tasks;
  /** Whether the stream took a call that left ahead of its unit. */
  readonly #left = new WeakMap<UnsentCall, Promise<boolean>>();

  constructor(private readonly parts: CallSenderParts) {
    this.#tasks = new Tasks(parts.logger);
  }

  /** Resolves when nothing is being sent. */
  settled(): Promise<void> {
    return this.#tasks.settled();
  }

  /** Sends calls whose unit is on its way to the database, once. Whether that comes to anything, what `prepare` gives back is told. */
  ahead(calls: readonly UnsentCall[]): void {
    for (const call of calls) if (!this.#left.has(call)) this.#left.set(call, this.#leave(call));
  }

  /** Makes the calls of a chain ready; what it gives back sends them once that is committed, and returns at once. */
  prepare({ units, callsToSend, callsAhead, waitingCalls, cancelRequested }: StoredChain): () => void {
    const { connection, stored } = this.parts;
    const decide = (): void => {
      // Of a run that is to end as cancelled no result would be read any more.
      for (const { message } of callsAhead)
        stored.decide(message.ticket, cancelRequested ? 'refused' : 'stored');
      for (const { dispatchId } of waitingCalls) stored.putOff(dispatchId);
    };
    if (cancelRequested) return decide;
    const ready = callsToSend.map((call) => ({
      call,
      body: new WorkBody(connection, call.message).makeReady(),
    }));
    return () => {
      // First: their workers have them in hand.
      decide();
      for (const { call, body } of ready) this.#tasks.run('sending a call', () => this.#send(call, { body }));
      for (const call of callsAhead) this.#tasks.run('noting a call', () => this.#stored(call));
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

  async #leave(call: UnsentCall): Promise<boolean> {
    const { message } = call;
    try {
      await this.#publish(this.#heldUntilStored(call), { isAhead: true, attempts: 1 });
      return true;
    } catch (error) {
      const { dispatchId } = message.call;
      this.parts.logger.info({ ...workIdsOf(message), dispatchId, err: error }, 'call did not leave ahead');
      return false;
    }
  }

  /** The message as it leaves: where its worker has to hold it, that is noted here, and it says where to ask. */
  #heldUntilStored(call: UnsentCall): UnsentCall {
    const { stored } = this.parts;
    const { message } = call;
    if (!waitsUntilStored(message.call)) return call;
    stored.leaves(message.ticket);
    return { ...call, message: { ...message, askStored: stored.subject } };
  }

  /** A call that was to leave ahead of its unit is stored; one that did not, or may not have, is sent as any other. */
  async #stored(call: UnsentCall): Promise<void> {
    if (await this.#left.get(call)) this.parts.sent.add(call);
    else await this.#send(call, { isAhead: waitsUntilStored(call.message.call) });
  }

  async #send(call: UnsentCall, options?: PublishCallOptions): Promise<void> {
    const { sent, logger } = this.parts;
    try {
      await this.#publish(call, options);
      sent.add(call);
    } catch (error) {
      const { dispatchId } = call.message.call;
      const fields = { ...workIdsOf(call.message), dispatchId, err: error };
      logger.warn(fields, 'stored call left to the sweep to send');
    }
  }

  /** Below the span of the call itself, which is the runner's. */
  async #publish(call: UnsentCall, options?: PublishCallOptions): Promise<void> {
    const { invocationId, call: row } = call.message;
    await withinStep(traceStepOf(invocationId, row.dispatchId), () =>
      publishCall(this.parts.connection, call, options),
    );
  }
}
