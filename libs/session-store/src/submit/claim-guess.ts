import { type Handover } from '@skein/contracts';
import { v7 as uuidV7 } from 'uuid';
import { type Scopes } from '../sql/submit-rows';

/** A session as somebody saw it last, with nothing queued or running in it. */
export interface SessionHead {
  readonly sessionUid: string;
  /** Of its last claim. */
  readonly epoch: number;
  readonly lastSeq: number;
  readonly updatedSeconds: number;
  readonly scopes: Scopes;
}

/** What a submit is expected to claim: right where the session still is as `head` has it, and was last run by the same runner. */
export interface ClaimGuess {
  readonly head: SessionHead;
  /**
   * Told of the claim right before the statement leaves that is to make it, where it leaves alone. The
   * outcome has this very invocation where the guess was right, and another where it was wrong. Told again of what is tried
   * again. Must not throw.
   */
  readonly onLeaving: (handover: Handover) => void;
}

/** A guess on its way into the database. */
export interface GuessedClaim {
  /** Nobody else's: where the guess is wrong, whatever is made of it has the id of an invocation that never is. */
  readonly invocationId: string;
  readonly head: SessionHead;
}

export function toGuessedClaim({ head }: ClaimGuess): GuessedClaim {
  return { invocationId: newInvocationId(), head };
}

export function newInvocationId(): string {
  return `e-${uuidV7()}`;
}

/** As `skein_submit` compares it with what it finds. */
export function toGuessRow({ invocationId, head }: GuessedClaim): object {
  const { sessionUid, epoch, lastSeq, scopes } = head;
  return { invocation_id: invocationId, session_uid: sessionUid, epoch, last_seq: lastSeq, scopes };
}
