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
    jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });

    expect(told({ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' })).toBe(10_000);

    jest.useRealTimers();
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
