import { type AppendUnit, type CallRow, type Ticket } from '@skein/contracts';
import { mintTicket } from '../ticket';
import { type UnsentCall } from '../sql/read-unsent-calls';
import { callsToSend } from './calls-to-send';
import { allowanceMs, type Chain, isOpenAfter } from './chain';

/** Calls of a chain that leave while it is stored, and the ticket that each leaves with, by its id (ADR 39). */
export interface CallsAhead {
  readonly calls: readonly UnsentCall[];
  readonly tickets: ReadonlyMap<string, Ticket>;
}

const NONE: CallsAhead = { calls: [], tickets: new Map() };

export interface AheadOptions {
  readonly secret: string;
  /** Whether a call that changes nothing may leave before the database has counted it; without it none may. */
  readonly mayLeaveAhead?: (unit: AppendUnit, call: CallRow) => boolean;
}

/** Says which calls need not wait for their chain: those of tools that only read. */
export class AheadOfStore {
  /** The database's clock as it was told last, and when that was by our own. */
  #clock: { readonly toldMs: number; readonly atMs: number } | undefined;

  constructor(private readonly options: AheadOptions) {}

  /** Deadlines are by the database's clock. */
  told(clockMs: number): void {
    this.#clock = { toldMs: clockMs, atMs: performance.now() };
  }

  /** Of a chain that is stored alone: where there are others, what is waited for is the processor, and not the disk. */
  of([chain, ...others]: readonly Chain[]): CallsAhead {
    if (!chain || others.length > 0 || !this.#clock) return NONE;
    const nowMs = Math.round(this.#clock.toldMs + performance.now() - this.#clock.atMs);
    const calls = chain.flatMap((unit) => this.#ofUnit(unit, chain, nowMs));
    if (calls.length === 0) return NONE;
    return { calls, tickets: new Map(calls.map(({ message: { ticket } }) => [ticket.dispatchId, ticket])) };
  }

  #ofUnit(unit: AppendUnit, chain: Chain, nowMs: number): UnsentCall[] {
    const { secret, mayLeaveAhead = () => false } = this.options;
    const tickets = unit.calls
      .filter(
        (call) => call.policy.readOnly === true && isOpenAfter(chain, call) && mayLeaveAhead(unit, call),
      )
      .map((call) => {
        const { dispatchId, tool } = call;
        return mintTicket(secret, tool, {
          dispatchId,
          attempt: 1,
          deadlineMs: nowMs + allowanceMs(call),
        });
      });
    return tickets.length === 0 ? [] : callsToSend(unit, tickets, nowMs);
  }
}
