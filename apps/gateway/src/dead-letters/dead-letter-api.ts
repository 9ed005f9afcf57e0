import {
  type DeadLetterDetails,
  type DeadLetterKey,
  type DeadLetterPage,
  type ListDeadLetters,
  type Redrive,
} from '@skein/contracts';

/** What the gateway asks about calls the tool plane ended. Every method fails with an AdkError. */
export abstract class DeadLetterApi {
  /** A page of an app's letters, those that died last first. */
  abstract list(input: ListDeadLetters): Promise<DeadLetterPage>;
  /** One letter, with all its call was given. */
  abstract inspect(input: DeadLetterKey): Promise<DeadLetterDetails>;
  /** Sends the call once more; of many who ask at once one is answered, the others are a conflict. */
  abstract redrive(input: Redrive): Promise<DeadLetterDetails>;
  /** Sets a letter aside; again, it stays so. */
  abstract discard(input: DeadLetterKey): Promise<DeadLetterDetails>;
}
