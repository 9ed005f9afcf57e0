import { type Event, type JsonValue } from '@skein/contracts';

/** What one call tells while it runs. */
export interface CallProgress {
  readonly callId: string;
  readonly tool: string;
  readonly value: JsonValue;
}

/**
 * What the calls of a round tell while they run, until the round is answered: of each call the latest that nobody took
 * yet, so that a tool which tells faster than anybody reads fills nothing.
 */
export class RoundProgress {
  readonly #latest = new Map<number, CallProgress>();
  #wake: () => void = () => undefined;

  /** `index` is the call's place in the turn. */
  tell(index: number, progress: CallProgress): void {
    this.#latest.set(index, progress);
    this.#wake();
  }

  /** Yields what is told until the round is answered, then returns its answer; what was not taken by then is void. */
  async *until<T>(answered: Promise<T>): AsyncGenerator<CallProgress, T> {
    const round = { isAnswered: false };
    const end = (): void => {
      round.isAnswered = true;
      this.#wake();
    };
    // Once: a round may be told of very often, and each reaction to its answer would stay until that comes.
    void answered.then(end, end);
    while (!round.isAnswered) {
      const [next] = this.#latest;
      if (next === undefined) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      const [index, progress] = next;
      this.#latest.delete(index);
      yield progress;
    }
    return answered;
  }
}

/** As a response that is not the last one of its call, in genai's words, so that whoever knows responses can show it. */
export function progressContent({ callId, tool, value }: CallProgress): NonNullable<Event['content']> {
  const functionResponse = { id: callId, name: tool, response: { progress: value }, willContinue: true };
  return { role: 'user', parts: [{ functionResponse }] };
}
