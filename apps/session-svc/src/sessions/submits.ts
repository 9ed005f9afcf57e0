import { type Handover, type Submit, type Submitted } from '@skein/contracts';
import { currentTraceparent } from '@skein/messaging';
import {
  type ClaimGuess,
  type SubmitBatcher,
  type SubmitOptions,
  type SubmitOutcome,
} from '@skein/session-store';
import { type Cancellation } from './cancellation';
import { type HandOver, isSameClaim } from './hand-over';
import { type RunnerDirectory } from './runner-directory';
import { type SessionHeads } from './session-heads';

export interface SubmitsParts {
  readonly batcher: SubmitBatcher;
  readonly directory: RunnerDirectory;
  readonly heads: SessionHeads;
  readonly handOver: HandOver;
  readonly cancellation: Cancellation;
  readonly leaseMs: number;
}

type Told = Pick<SubmitOptions, 'onClaimed' | 'guess'>;

/** Stores what users say, and gives what that claims to runners. */
export class Submits {
  constructor(private readonly parts: SubmitsParts) {}

  /**
   * Answered as soon as it is stored: the sender need not wait for a runner's yes. The runner begins while that is done: where
   * the claim can be guessed, before the statement leaves that makes it; else while it is committed, where that can be told.
   */
  async submit(submit: Submit): Promise<Submitted> {
    const { directory, handOver, cancellation, heads } = this.parts;
    const runnerId = directory.pick(submit);
    let guessed: Handover | undefined;
    let offered: Handover | undefined;
    const onGuess = (handover: Handover): void => {
      if (runnerId === undefined || guessed) return;
      guessed = handover;
      handOver.guess(handover, runnerId, stored);
    };
    // Once for each claim: called while it is committed, where that can be, and with the outcome of `stored` below.
    const onClaimed = (handover: Handover): void => {
      if (runnerId === undefined || guessed || isSameClaim(handover, offered)) return;
      offered = handover;
      handOver.offer(handover, runnerId, stored);
    };
    const guess = this.#guessOf(submit, runnerId, onGuess);
    // Also by what is not guessed: whoever comes while this is stored will not find the session as it is.
    heads.taken(submit);
    const stored = this.#store(submit, runnerId, { onClaimed, guess });
    const { submitted, handover, needsPointer, epoch, head, interrupted } = await stored;
    heads.sent(submit);
    cancellation.interrupted(head, interrupted);
    if (guessed && !isSameClaim(guessed, handover)) heads.mistaken(submit);
    if (handover && runnerId !== undefined) {
      heads.claimed(handover, runnerId);
      onClaimed(handover);
    }
    if (needsPointer) handOver.point(submitted.invocationId, epoch);
    return submitted;
  }

  /** Of a message that does not say that it was sent before. */
  #guessOf(
    submit: Submit,
    runnerId: string | undefined,
    onLeaving: ClaimGuess['onLeaving'],
  ): ClaimGuess | undefined {
    const { directory, heads } = this.parts;
    if (runnerId === undefined || submit.isRepeat || !directory.takesGuesses(runnerId)) return undefined;
    const head = heads.freeHead(submit, runnerId);
    return head && { head, onLeaving };
  }

  async #store(submit: Submit, runnerId: string | undefined, told: Told): Promise<SubmitOutcome> {
    const { batcher, directory, leaseMs } = this.parts;
    const traceparent = currentTraceparent();
    let isClaimed = false;
    try {
      const outcome = await batcher.submit(submit, { runnerId, leaseMs, traceparent, ...told });
      isClaimed = outcome.handover !== undefined;
      return outcome;
    } finally {
      if (!isClaimed && runnerId !== undefined) directory.unpicked(runnerId);
    }
  }
}
