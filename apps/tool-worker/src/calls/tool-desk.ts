import { randomUUID } from 'node:crypto';
import {
  type AgainVerdict,
  againVerdictSchema,
  type BegunTool,
  begunToolSchema,
  databaseClockSchema,
  isTransient,
  type ReturnedCall,
  returnedCallSchema,
  type ReturnReason,
  type StoredVerdict,
  retryTransient,
  subjects,
  type ToolCallMessage,
} from '@skein/contracts';
import { type Delivery, type RpcClient } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import { HeldCalls } from './held-calls';
import { isNeverStored } from './never-stored';

const TIMEOUT_MS = 5_000;
/** Then a call that comes again is counted by its deliveries, as where session-svc is of a version before. */
const AGAIN_MS = 3_000;
const SYNC_MS = 60_000;
/** After an ask in vain, and after one that took so long that its answer is off by half of it. */
const SYNC_AGAIN_MS = 1_000;
const MAX_ROUND_TRIP_MS = 1_000;

/** What a worker asks session-svc: whether a call is its to run, and what time it is where deadlines are made. */
export class ToolDesk {
  /** By how much the database's clock is ahead of this process's monotonic one; unknown until it was asked. */
  #aheadMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #held: HeldCalls;

  constructor(
    private readonly rpc: RpcClient,
    private readonly logger: Logger,
  ) {
    this.#held = new HeldCalls(rpc);
  }

  /** Keeps the time from now on. Nothing waits for it: a deadline that cannot be told is left to session-svc. */
  start(): void {
    void this.#keepTime();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** How long, in milliseconds, until a moment of the database's clock; this machine's own may be an hour off. */
  remainingMs(deadlineMs: number): number {
    return this.#aheadMs === undefined ? Infinity : deadlineMs - performance.now() - this.#aheadMs;
  }

  /** Whether a call is stored that came while it was being stored, once that is known; `unknown` where this worker ends before. */
  storedVerdict(message: ToolCallMessage, delivery: Delivery): Promise<StoredVerdict> {
    return this.#held.verdictOf(message, delivery);
  }

  /** Asks until there is an answer: a call that may run once is not run on a guess. */
  async begin({ call, ticket, invocationId }: ToolCallMessage, delivery: Delivery): Promise<BegunTool> {
    const request = {
      ...{ invocationId, ticket, tool: call.tool },
      message: String(delivery.streamSequence),
      handler: randomUUID(),
    };
    return retryTransient(
      () => this.rpc.request(subjects.callRpc('begin'), begunToolSchema, request, { timeoutMs: TIMEOUT_MS }),
      { signal: delivery.signal },
    );
  }

  /**
   * Whether a call that others may have died of is begun here, as which of its attempts. `beside` is how many such calls run
   * here already. Where nobody answers, its deliveries are its attempts, which are no fewer.
   */
  async again(
    { call, ticket, invocationId, returned = 0 }: ToolCallMessage,
    { startedBefore, signal }: Delivery,
    beside: number,
  ): Promise<AgainVerdict> {
    const of = { tool: call.tool, ticket, invocationId, returned };
    const request = { ...of, started: startedBefore, handler: randomUUID(), beside };
    const subject = subjects.callRpc('again');
    try {
      return await retryTransient(
        () => this.rpc.request(subject, againVerdictSchema, request, { timeoutMs: TIMEOUT_MS }),
        { signal, withinMs: AGAIN_MS },
      );
    } catch (error) {
      if (!isTransient(error)) throw error;
      const { maxAttempts } = call.policy;
      const attempt = ticket.attempt + startedBefore;
      return attempt > maxAttempts ? { verdict: 'spent', attempt: maxAttempts } : { verdict: 'run', attempt };
    }
  }

  /**
   * Has a call that this worker did not begin given to another, at no cost of an attempt. Asks until there is an answer, as
   * long as the call may be run: given up, its message comes again as one that somebody died of.
   */
  async giveBack(
    message: ToolCallMessage,
    { startedBefore, signal }: Delivery,
    reason: ReturnReason,
  ): Promise<ReturnedCall['verdict']> {
    const { call, ticket, invocationId, returned = 0 } = message;
    const request = { tool: call.tool, ticket, invocationId, reason, returned, started: startedBefore };
    const subject = subjects.callRpc('return');
    const beganAtMs = performance.now();
    const ask = (): Promise<ReturnedCall> =>
      this.rpc
        .request(subject, returnedCallSchema, request, { timeoutMs: TIMEOUT_MS })
        .catch((error: unknown) => {
          if (isNeverStored(error, beganAtMs)) return { verdict: 'over' };
          throw error;
        });
    const { verdict } = await retryTransient(ask, { signal, withinMs: this.remainingMs(ticket.deadlineMs) });
    const { dispatchId, tool } = call;
    this.logger.info({ ...workIdsOf(message), dispatchId, tool, reason, verdict }, 'call handed back');
    return verdict;
  }

  async #keepTime(): Promise<void> {
    const isGood = await this.#sync();
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#keepTime(), isGood ? SYNC_MS : SYNC_AGAIN_MS);
  }

  /** Whether the time is known well now. */
  async #sync(): Promise<boolean> {
    const askedAtMs = performance.now();
    try {
      const { nowMs } = await this.rpc.request(
        subjects.callRpc('clock'),
        databaseClockSchema,
        {},
        { timeoutMs: TIMEOUT_MS },
      );
      const toldAtMs = performance.now();
      const isGood = toldAtMs - askedAtMs <= MAX_ROUND_TRIP_MS;
      if (isGood || this.#aheadMs === undefined) this.#aheadMs = nowMs - (askedAtMs + toldAtMs) / 2;
      return isGood;
    } catch (error) {
      this.logger.info({ err: error }, 'the time of the database was not to be had');
      return false;
    }
  }
}
