import {
  AdkError,
  type Appended,
  type AppendUnit,
  type CallRow,
  type StoredEvent,
  type Ticket,
} from '@skein/contracts';
import { withoutTemp } from '../event-row';
import { type StoredChainRow } from '../sql/append-units';
import { type HeldClaim } from '../sql/read-handover';
import { type StoredCall, type StoredUnit } from '../sql/read-unit';
import { type UnsentCall } from '../sql/read-unsent-calls';
import { mintTicket } from '../ticket';
import { type CallsAhead, waitsUntilStored } from './calls-ahead';
import { callsToSend } from './calls-to-send';
import { allowanceMs, type Chain } from './chain';

/** A chain as it is stored: for publishing its events and for handing over what its finish claimed. */
export interface StoredChain {
  readonly units: Chain;
  readonly sessionUid: string;
  /** The session's head before the chain. */
  readonly baseSeq: number;
  readonly events: readonly StoredEvent[];
  readonly publishedSeq: number;
  /** The session's next invocation, claimed by the finish in this chain. */
  readonly nextClaim: HeldClaim | undefined;
  /** Calls that wait for their turn: nobody sends them until they are admitted. */
  readonly waitingCalls: readonly CallRow[];
  /** Calls that may be sent at once, of units that say what they are sent with. */
  readonly callsToSend: readonly UnsentCall[];
  /** Calls that were to leave while the chain was stored, and need not wait for their turn. */
  readonly callsAhead: readonly UnsentCall[];
  /** The run is to end as cancelled. */
  readonly cancelRequested: boolean;
  /** When it was stored, by the database's clock. */
  readonly clockMs: number;
}

export interface AnsweredUnit {
  readonly unit: AppendUnit;
  readonly appended: Appended;
}

/** What is known of a batch beside its chains. */
export interface Answering {
  readonly secret: string;
  /** Ids of its calls that wait for their turn. */
  readonly waiting: ReadonlySet<string>;
  /** Calls that were to leave while it was stored. */
  readonly ahead: CallsAhead;
}

/** What each unit of a chain is answered. */
export function answersOf(chain: Chain, row: StoredChainRow, answering: Answering): AnsweredUnit[] {
  const { secret, waiting, ahead } = answering;
  const cancelRequested = row.cancel_requested;
  let lastSeq = row.base_seq;
  return chain.map((unit) => {
    lastSeq += unit.events.length;
    const toStored = (call: CallRow): [string, StoredCall] => [
      call.dispatchId,
      { deadlineMs: row.clock_ms + allowanceMs(call), attempt: 1, isWaiting: waiting.has(call.dispatchId) },
    ];
    const calls = new Map(unit.calls.map(toStored));
    return { unit, appended: answerTo(unit, { lastSeq, cancelRequested, calls }, secret, ahead.tickets) };
  });
}

const NO_TICKETS: ReadonlyMap<string, Ticket> = new Map();

/** Without tickets for calls that wait: each gets one as it is admitted, unless it left with one already (`ahead`) and is begun. */
export function answerTo(
  unit: AppendUnit,
  { lastSeq, cancelRequested, calls }: Pick<StoredUnit, 'lastSeq' | 'cancelRequested' | 'calls'>,
  secret: string,
  ahead = NO_TICKETS,
): Appended {
  const tickets = unit.calls.flatMap((row) => {
    const { dispatchId, tool } = row;
    const call = calls.get(dispatchId);
    if (call === undefined) {
      throw new AdkError(
        'internal',
        'append.call-missing',
        `Call ${dispatchId} was not stored with its unit.`,
      );
    }
    const { deadlineMs, attempt, isWaiting } = call;
    const ticket = ahead.get(dispatchId);
    if (ticket && !(isWaiting && waitsUntilStored(row))) return [ticket];
    return isWaiting ? [] : [mintTicket(secret, tool, { dispatchId, attempt, deadlineMs })];
  });
  return { lastSeq, cancelRequested, tickets };
}

export function toStoredChain(
  chain: Chain,
  row: StoredChainRow,
  answered: readonly AnsweredUnit[],
  { waiting, ahead }: Answering,
): StoredChain {
  const toSend = ({ unit, appended: { tickets } }: AnsweredUnit): UnsentCall[] => {
    const unsent = tickets.filter(({ dispatchId }) => !ahead.tickets.has(dispatchId));
    return callsToSend(unit, unsent, row.clock_ms);
  };
  return {
    units: chain,
    sessionUid: row.session_uid,
    baseSeq: row.base_seq,
    events: chain
      .flatMap((unit) => unit.events)
      .map(({ stepKey, event }, index) => ({
        seq: row.base_seq + index + 1,
        stepKey,
        event: withoutTemp(event),
      })),
    publishedSeq: row.published_seq,
    nextClaim: toNextClaim(chain[0], row),
    waitingCalls: chain.flatMap((unit) => unit.calls).filter(({ dispatchId }) => waiting.has(dispatchId)),
    callsToSend: answered.flatMap(toSend),
    callsAhead: ahead.calls.filter(({ message }) => !waiting.has(message.call.dispatchId)),
    cancelRequested: row.cancel_requested,
    clockMs: row.clock_ms,
  };
}

function toNextClaim({ runnerId }: AppendUnit, row: StoredChainRow): HeldClaim | undefined {
  const { next_invocation: invocationId, next_epoch: epoch } = row;
  return invocationId === null || epoch === null ? undefined : { invocationId, runnerId, epoch };
}
