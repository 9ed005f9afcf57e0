import { AdkError } from '@skein/contracts';

/** `model.bad-answer`: what came is no answer, as far as it is read. `why` is the second half of its sentence. */
export class UnreadableAnswer extends AdkError {
  constructor(why: string) {
    super('unavailable', 'model.bad-answer', `The model's answer could not be read: ${why}`);
    this.name = 'UnreadableAnswer';
  }
}

/** An answer over a bound, or something in it. The sentence says of what. */
export function tooLarge(sentence: string): AdkError {
  return new AdkError('invalid', 'model.too-large', sentence);
}
