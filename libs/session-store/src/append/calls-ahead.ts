import { type AppendUnit, type CallRow, type Ticket } from '@skein/contracts';
import { mintAheadTicket } from '../ticket';
import { type UnsentCall } from '../sql/read-unsent-calls';
import { callsToSend } from './calls-to-send';
import { allowanceMs, type Chain, isOpenAfter } from './chain';

/** Calls of a chain that leave while it is stored, and the ticket that each leaves with, by its id (ADR 39). */
export interface CallsAhead {
  readonly calls: readonly UnsentCall[];
  readonly tickets: ReadonlyMap<string, Ticket>;
}

const NONE: CallsAhead = { calls: [], tickets: new Map() };

/** The database has counted none of them when they leave, so no more of one unit than may be too many. */
const MOST_OF_UNIT = 4;
/** A statement may take so long: the deadline of a call that left ahead goes on meanwhile. */
const LEAST_ALLOWANCE_MS = 15_000;
/** What was told of the database's clock longer ago is not gone by. */
const CLOCK_HOLDS_MS = 60_000;

export interface AheadOptions {
  readonly secret: string;
  /** Whether a call may leave before the database has counted it; without it none may. */
  readonly mayLeaveAhead?: (unit: AppendUnit, call: CallRow) => boolean;
}

/** Says which calls need not wait for their chain to leave: those of tools that may run more than once. */
export class AheadOfStore {
  /** The database's clock as it was told last, and when that was: by a clock that never jumps, and by one that goes on while the machine is suspended. */
  #clock: { readonly toldMs: number; readonly atMs: number; readonly wallMs: number } | undefined;
  /** A unit that comes again, since the one before it was not there, leaves nothing a second time under another ticket. */
  readonly #known = new WeakMap<AppendUnit, CallsAhead>();

  constructor(private readonly options: AheadOptions) {}

  /** Deadlines are by the database's clock. */
  noteClock(toldMs: number): void {
    this.#clock = { toldMs, atMs: performance.now(), wallMs: Date.now() };
  }

  /** Of a chain that is one unit and is stored alone: where there are others, what is waited for is the processor, and not the disk. */
  of(chains: readonly Chain[]): CallsAhead {
    const [[unit, ...units] = [], ...others] = chains;
    if (!unit || units.length > 0 || others.length > 0) return NONE;
    const ahead = this.#known.get(unit) ?? this.#ofUnit(unit);
    if (ahead !== NONE) this.#known.set(unit, ahead);
    return ahead;
  }

  #ofUnit(unit: AppendUnit): CallsAhead {
    const { mayLeaveAhead = () => false } = this.options;
    const calls = unit.calls.filter(
      (call) =>
        mayRunTwice(call) && isOpenLong(call) && isOpenAfter([unit], call) && mayLeaveAhead(unit, call),
    );
    if (calls.length === 0 || calls.length > MOST_OF_UNIT) return NONE;
    const nowMs = this.#databaseNowMs();
    if (nowMs === undefined) return NONE;
    const minted = calls.map((call) => this.#ticketOf(call, nowMs));
    const toSend = callsToSend(unit, minted, nowMs);
    const tickets = new Map(toSend.map(({ message: { ticket } }) => [ticket.dispatchId, ticket]));
    return toSend.length === 0 ? NONE : { calls: toSend, tickets };
  }

  #ticketOf(call: CallRow, nowMs: number): Ticket {
    const { dispatchId, tool } = call;
    const deadlineMs = nowMs + allowanceMs(call);
    return mintAheadTicket(this.options.secret, tool, { dispatchId, attempt: 1, deadlineMs });
  }

  #databaseNowMs(): number | undefined {
    if (!this.#clock) return undefined;
    const { toldMs, atMs, wallMs } = this.#clock;
    const sinceMs = performance.now() - atMs;
    const isOld = Math.max(sinceMs, Math.abs(Date.now() - wallMs)) > CLOCK_HOLDS_MS;
    return isOld ? undefined : Math.round(toldMs + sinceMs);
  }
}

/** One that may run once is begun in the database, where it has to be. */
function mayRunTwice({ policy }: CallRow): boolean {
  return policy.sideEffect !== 'once';
}

/** A call that may change something waits in its worker until it is stored (ADR 44). */
export function waitsUntilStored({ policy }: Pick<CallRow, 'policy'>): boolean {
  return policy.readOnly !== true;
}

function isOpenLong(call: CallRow): boolean {
  return allowanceMs(call) >= LEAST_ALLOWANCE_MS;
}
