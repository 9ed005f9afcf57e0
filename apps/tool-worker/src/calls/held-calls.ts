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
import { isNeverStored, STORED_WITHIN_MS } from './never-stored';

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
   * Settles once it is known whether the call is stored; rejects where nobody says so in time, or this worker is to end before, for
   * somebody else to find out. What it asks is in no trace: of a worker that is killed it would be there without the span that it is
   * part of.
   */
  async isStored(message: ToolCallMessage, delivery: Delivery): Promise<boolean> {
    return context.with(ROOT_CONTEXT, () => this.#isStored(message, delivery));
  }

  async #isStored(message: ToolCallMessage, delivery: Delivery): Promise<boolean> {
    const told = delivery.startedBefore > 0 ? 'unknown' : await this.#askSender(message, delivery);
    const verdict = told === 'unknown' ? await this.#askAnyone(message, delivery) : told;
    return verdict === 'stored';
  }

  /** Who stores the call is the first to know. */
  async #askSender(message: ToolCallMessage, { stopping }: Delivery): Promise<StoredVerdict> {
    if (message.askStored === undefined) return 'unknown';
    try {
      return await this.#ask(message.askStored, message, TOLD_WITHIN_MS, stopping);
    } catch {
      // Whatever it is, the database knows as well.
      return 'unknown';
    }
  }

  /** Of any session-svc, which reads it. */
  async #askAnyone(message: ToolCallMessage, { stopping, aside }: Delivery): Promise<StoredVerdict> {
    const beganAtMs = performance.now();
    const ask = (): Promise<StoredVerdict> =>
      this.#ask(subjects.callRpc('stored'), message, DESK_TIMEOUT_MS, stopping).catch((error: unknown) => {
        if (isNeverStored(error, beganAtMs)) return 'refused';
        throw error;
      });
    const wait = (): Promise<StoredVerdict> =>
      retryTransient(ask, { signal: stopping, withinMs: STORED_WITHIN_MS + DESK_TIMEOUT_MS });
    if (this.#aside >= MOST_ASIDE) return wait();
    this.#aside++;
    try {
      // Its place is another's meanwhile: of a call that will never be stored that is known late.
      return await aside(wait);
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
