import { waitUntil } from './wait-until';
import { errorMessage } from './read-error';

/** Waits until the gateway says that a first turn can be served; throws its last answer when it does not in time. */
export async function untilGatewayReady(
  url: string,
  signal: AbortSignal,
  deadlineMs = 60_000,
): Promise<void> {
  let lastAnswer = 'no answer';
  const ask = async (): Promise<true | undefined> => {
    try {
      const response = await fetch(new URL('/ready', url), {
        signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
      });
      lastAnswer = `${response.status} ${(await response.text()).slice(0, 500)}`;
      return response.ok ? true : undefined;
    } catch (error) {
      lastAnswer = errorMessage(error);
      return undefined;
    }
  };
  if (await waitUntil(ask, { deadlineMs, pollMs: 50, signal })) return;
  throw new Error(`The gateway was not ready within ${deadlineMs} ms; it said: ${lastAnswer}`);
}

/** The apps the gateway serves; empty when it does not tell. */
export async function listApps(url: string): Promise<readonly string[]> {
  try {
    const response = await fetch(new URL('/list-apps', url), { signal: AbortSignal.timeout(5_000) });
    const names: unknown = await response.json();
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    // Only the example in the greeting depends on it.
    return [];
  }
}
