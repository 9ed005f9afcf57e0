import { AdkError } from '@skein/contracts';

/** What a read of an answer gives. Throws `model.bad-answer` where it is not in the API's form. */
export function readingAnthropic<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // What is not where it has to be: the types of the SDK are a promise that a server need not keep.
    if (!(error instanceof TypeError)) throw error;
    const message = `Claude's answer is not in the form of the Messages API: ${error.message}`;
    throw new AdkError('invalid', 'model.bad-answer', message);
  }
}
