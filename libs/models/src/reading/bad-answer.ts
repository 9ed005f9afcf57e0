import { AdkError } from '@skein/contracts';

/** An answer in which there is nothing to read. Its message goes on from "The model's answer could not be read: ". */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/** An answer over a bound, or something in it. The sentence says of what. */
export function tooLarge(sentence: string): AdkError {
  return new AdkError('invalid', 'model.too-large', sentence);
}
