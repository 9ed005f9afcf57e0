/** Asks until the answer is truthy and returns it; fails the test at the deadline. */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  deadlineMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`not within ${deadlineMs} ms: ${what}`);
}
