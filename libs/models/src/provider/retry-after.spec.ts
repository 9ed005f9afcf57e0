import { readFailure } from './read-failure';
import { retryAfterMs } from './retry-after';

function told(headers: Record<string, string>, body: unknown = {}): number | undefined {
  const thrown = new Error(JSON.stringify({ error: body }));
  return retryAfterMs(readFailure(thrown, { status: 429, headers: new Headers(headers) }));
}

describe('retryAfterMs', () => {
  it('reads seconds, and milliseconds where they are told as well', () => {
    expect(told({ 'retry-after': '3' })).toBe(3_000);
    expect(told({ 'retry-after': '3', 'retry-after-ms': '2500' })).toBe(2_500);
  });

  it('reads a date', () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();

    const delayMs = told({ 'retry-after': inTenSeconds });

    expect(delayMs).toBeGreaterThan(8_000);
    expect(delayMs).toBeLessThanOrEqual(10_000);
  });

  it("reads Google's RetryInfo", () => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' },
    ];

    expect(told({}, { code: 429, message: 'Quota.', details })).toBe(34_500);
  });

  it.each(['', 'soon', '-3', '0', '1e9', 'Sat, 01 Jan 2000 00:00:00 GMT'])(
    'makes nothing of "%s"',
    (retryAfter) => expect(told({ 'retry-after': retryAfter })).toBeUndefined(),
  );
});
