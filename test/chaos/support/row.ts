import { Random, randomSeed } from './random';

/**
 * One row of the reliability bar as a test. Everything it chooses comes of `random`, and its seed is in the message of
 * its failure; CHAOS_SEED plays it again.
 *
 * @param title begins with `row N:`; docs/reference/reliability.md names it.
 */
export function row(title: string, test: (random: Random) => Promise<void>, timeoutMs = 60_000): void {
  it(
    title,
    async () => {
      const seed = randomSeed();
      try {
        await test(new Random(seed));
      } catch (error) {
        throw withSeed(error, seed);
      }
    },
    timeoutMs,
  );
}

/** The error itself, so that jest still shows its difference and its place. */
function withSeed(error: unknown, seed: number): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  failure.message = `CHAOS_SEED=${seed}: ${failure.message}`;
  return failure;
}
