import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import {
  retryTransient,
  type StoredVerdict,
  storedVerdictSchema,
  subjects,
  TOLD_STORED_WITHIN_MS,
  type ToolCallMessage,
} from '@skein/contracts';
import { type Delivery, type RpcClient } from '@skein/messaging';
import { isNeverStored } from './never-stored';

/** Who is asked answers before, also where it does not know. */
const TOLD_WITHIN_MS = TOLD_STORED_WITHIN_MS + 100;
const DESK_TIMEOUT_MS = 5_000;
/** So many of them have no place in their worker; those beyond have one, so that what it holds has an end. */
const MOST_ASIDE = 256;

/** Calls that came while they were being stored: what they may change may not change for a run that never asked for it (ADR 44). */
export class HeldCalls {
  #aside = 0;

  constructor(private readonly rpc: RpcClient) {}

  /**
   * Whether the call is stored, once that is known; `unknown` where this worker is to end before. Rejects where it may not ask. What it
   * asks is in no trace: of a worker that is killed it would be there without the span that it is part of.
   */
  async verdictOf(message: ToolCallMessage, delivery: Delivery): Promise<StoredVerdict> {
    return context.with(ROOT_CONTEXT, () => this.#verdictOf(message, delivery));
  }

  async #verdictOf(message: ToolCallMessage, delivery: Delivery): Promise<StoredVerdict> {
    const told = delivery.startedBefore > 0 ? 'unknown' : await this.#askSender(message, delivery);
    return told === 'unknown' ? this.#askAnyone(message, delivery) : told;
  }

  /** Who stores the call is the first to know. */
  async #askSender(message: ToolCallMessage, { signal }: Delivery): Promise<StoredVerdict> {
    if (message.askStored === undefined) return 'unknown';
    try {
      return await this.#ask(message.askStored, message, TOLD_WITHIN_MS, signal);
    } catch {
      // Whatever it is, the database knows as well.
      return 'unknown';
    }
  }

  /** Of any session-svc, which reads it; while there is none, for as long as it takes. */
  async #askAnyone(message: ToolCallMessage, { stopping, aside }: Delivery): Promise<StoredVerdict> {
    const beganAtMs = performance.now();
    const ask = (): Promise<StoredVerdict> =>
      this.#ask(subjects.callRpc('stored'), message, DESK_TIMEOUT_MS, stopping).catch((error: unknown) => {
        if (isNeverStored(error, beganAtMs)) return 'refused';
        throw error;
      });
    // Its place is another's meanwhile: of a call that will never be stored that is known late.
    const wait = (): Promise<StoredVerdict> => retryTransient(ask, { signal: stopping });
    try {
      return await (this.#aside < MOST_ASIDE ? aside(() => this.#counted(wait)) : wait());
    } catch (error) {
      if (stopping.aborted) return 'unknown';
      throw error;
    }
  }

  async #counted<T>(wait: () => Promise<T>): Promise<T> {
    this.#aside++;
    try {
      return await wait();
    } finally {
      this.#aside--;
    }
  }

  async #ask(
    subject: string,
    { invocationId, call: { tool }, ticket }: ToolCallMessage,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<StoredVerdict> {
    const request = { invocationId, tool, ticket };
    const { verdict } = await this.rpc.request(subject, storedVerdictSchema, request, { timeoutMs, signal });
    return verdict;
  }
}
