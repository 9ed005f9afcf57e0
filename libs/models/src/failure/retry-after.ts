import { type Failure } from './read-failure';

/**
 * When the provider wants to be asked again, in ms from now; none where it says nothing that is ahead. In the order of how
 * exact it is: `retry-after-ms`, `Retry-After` as seconds or as a date (RFC 9110, 10.2.3), Google's `RetryInfo`.
 */
export function retryAfterMs(failure: Failure): number | undefined {
  const retryAfter = failure.header('retry-after');
  const told = [
    numberIn(failure.header('retry-after-ms')),
    secondsIn(retryAfter),
    untilDate(retryAfter),
    ...failure.details.map(retryDelay),
  ];
  return told.find((delayMs) => delayMs !== undefined && delayMs > 0);
}

function numberIn(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function secondsIn(text: string | null): number | undefined {
  const seconds = numberIn(text);
  return seconds === undefined ? undefined : seconds * 1_000;
}

function untilDate(text: string | null): number | undefined {
  // Date.parse takes a bare number for a year.
  if (text === null || !/[a-z]/i.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - Date.now();
}

/** `google.rpc.RetryInfo`: a duration as "34.5s". */
function retryDelay(detail: unknown): number | undefined {
  if (typeof detail !== 'object' || detail === null || !('retryDelay' in detail)) return undefined;
  const [, seconds = null] = /^([\d.]+)s$/.exec(String(detail.retryDelay)) ?? [];
  return secondsIn(seconds);
}
