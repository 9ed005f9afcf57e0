import { timingSafeEqual } from 'node:crypto';
import { attemptOf, type CallProgress, type Ticket, type ToolResultMessage } from '@skein/contracts';

interface OpenCall {
  readonly stepKey: string;
  readonly settle: (result: ToolResultMessage) => void;
  readonly tell: (value: CallProgress['value']) => void;
  /** Which progress of it was told last. */
  latest?: Pick<CallProgress, 'attempt' | 'n'>;
  permit?: Permit;
  own?: OwnWord;
  /** A result that came before the permit it has to show. */
  early?: ToolResultMessage;
}

/** What session-svc permits a worker to answer with. */
interface Permit {
  readonly ticket: Ticket;
  readonly tool: string;
}

/** What the run has sent along with a call, for whoever is given it. */
interface OwnWord {
  readonly nonce: string;
  readonly tool: string;
}

/** The calls of one run that were dispatched: each waits for its first result. Of a settled one its turn is kept, and no more. */
export class PendingCalls {
  readonly #open = new Map<string, OpenCall>();
  /** The turn of each settled call, by its step. */
  readonly #settled = new Map<string, string>();
  readonly #openOfTurn = new Map<string, Set<string>>();
  /** Settled by results that their workers brought, by the attempt that gave each, until session-svc brings one of the same call. */
  readonly #heard = new Map<string, string>();

  /** Registers a call before it is dispatched, so that no result can come too early. `tell` hears how far it has got. */
  expect(
    dispatchId: string,
    stepKey: string,
    tell: OpenCall['tell'] = () => undefined,
  ): Promise<ToolResultMessage> {
    this.#settled.delete(dispatchId);
    const turn = this.#openOfTurn.get(stepKey) ?? new Set();
    this.#openOfTurn.set(stepKey, turn.add(dispatchId));
    return new Promise((settle) => this.#open.set(dispatchId, { stepKey, settle, tell }));
  }

  /** Takes what a worker tells of a call; whether that is open. What is older than what was told before is left out. */
  progress({ dispatchId, attempt, n, value }: CallProgress): boolean {
    const call = this.#open.get(dispatchId);
    if (!call) return false;
    const { latest } = call;
    const isOld = latest && (attempt < latest.attempt || (attempt === latest.attempt && n <= latest.n));
    if (isOld !== true) {
      call.latest = { attempt, n };
      call.tell(value);
    }
    return true;
  }

  /** Says by what a result of a call may be heard before there is a permit: whoever shows it was sent the call, for this very run. */
  knowBy(dispatchId: string, own: OwnWord): void {
    const call = this.#open.get(dispatchId);
    if (call) call.own = own;
  }

  /** Says which result of a call may be heard: the one that shows this. */
  permit(permit: Permit): void {
    const call = this.#open.get(permit.ticket.dispatchId);
    if (!call) return;
    call.permit = permit;
    if (call.early) this.settleHeard(call.early);
  }

  /** Takes a result as its worker sent it, which nobody has looked at; whether it is, or may yet be, the one that counts. */
  settleHeard(result: ToolResultMessage): boolean {
    const { dispatchId } = result.ticket;
    const call = this.#open.get(dispatchId);
    if (!call) return false;
    if (!isPermitted(result, call)) {
      if (call.permit) return false;
      call.early = result;
      return true;
    }
    this.#settle(call, result);
    this.#heard.set(dispatchId, attemptOf(result));
    return true;
  }

  /** Whether this result is the one that was heard, and session-svc has not asked of it yet. */
  wasHeard(result: ToolResultMessage): boolean {
    return this.#heard.get(result.ticket.dispatchId) === attemptOf(result);
  }

  /**
   * Takes a result that session-svc has in hand; the first one of a call counts. Answers which this is, nothing for a call
   * nobody waits for. One that was heard before is no repeat.
   */
  settle(result: ToolResultMessage): 'first' | 'repeat' | undefined {
    const { dispatchId } = result.ticket;
    const call = this.#open.get(dispatchId);
    if (call) this.#settle(call, result);
    else if (!this.wasHeard(result)) return this.#settled.has(dispatchId) ? 'repeat' : undefined;
    this.#heard.delete(dispatchId);
    return 'first';
  }

  #settle(call: OpenCall, result: ToolResultMessage): void {
    const { dispatchId } = result.ticket;
    this.#open.delete(dispatchId);
    this.#settled.set(dispatchId, call.stepKey);
    const turn = this.#openOfTurn.get(call.stepKey);
    turn?.delete(dispatchId);
    if (turn?.size === 0) this.#openOfTurn.delete(call.stepKey);
    call.settle(result);
  }

  /** Whether the turn of a settled call still waits for others: its response event is then not about to be stored. */
  hasOpenSiblings(dispatchId: string): boolean {
    const stepKey = this.#settled.get(dispatchId);
    return stepKey !== undefined && this.#openOfTurn.has(stepKey);
  }
}

/** Nobody without the call's message knows what its ticket is signed with, nor what the run sent along. */
function isPermitted(result: ToolResultMessage, { own, permit }: OpenCall): boolean {
  return (own !== undefined && shows(result, own)) || (permit !== undefined && isOfTicket(result, permit));
}

function shows({ tool, ticket: { nonce } }: ToolResultMessage, own: OwnWord): boolean {
  return tool === own.tool && nonce !== undefined && isEqualText(nonce, own.nonce);
}

function isOfTicket({ tool, ticket }: ToolResultMessage, permit: Permit): boolean {
  const { attempt, deadlineMs, hmac } = permit.ticket;
  const isSame = tool === permit.tool && ticket.attempt === attempt && ticket.deadlineMs === deadlineMs;
  return isSame && isEqualText(ticket.hmac, hmac);
}

/** In a time that does not tell how much of it is right. */
function isEqualText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
