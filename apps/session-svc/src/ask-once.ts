/** One question for all who ask while it is under way. */
export function askOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask().finally(() => (answer = undefined)));
}
