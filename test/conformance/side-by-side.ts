/** Answers each item's answer, a few at a time; one that fails fails alone, with its reason in its place. */
export async function sideBySide<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const results: PromiseSettledResult<R>[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) [results[index]] = await Promise.allSettled([work(item)]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
