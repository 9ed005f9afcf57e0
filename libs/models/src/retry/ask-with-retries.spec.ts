import { AdkError } from '@skein/contracts';
import { collect } from '@skein/testing';
import { CircuitBreaker } from '../circuit/circuit-breaker';
import { LocalRateLimiter } from '../limiter/local-rate-limiter';
import { tooLarge, UnreadableAnswer } from '../reading/bad-answer';
import { askWithRetries, type Way } from './ask-with-retries';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry-policy';

const policy: RetryPolicy = {
  ...DEFAULT_RETRY_POLICY,
  firstDelayMs: 1,
  connectTimeoutMs: 30,
  idleTimeoutMs: 60,
};

function refused(status: number, headers: Record<string, string> = {}): Error {
  return Object.assign(new Error(`status ${status}`), { status, headers: new Headers(headers) });
}

async function* pieces(...all: (string | Error)[]): AsyncGenerator<string> {
  for (const one of all) {
    if (one instanceof Error) throw one;
    yield one;
  }
}

/** Answers each request with the next of these. */
function asking(...answers: (() => Promise<AsyncIterable<string>>)[]) {
  return jest.fn(async (_signal: AbortSignal) => {
    const answer = answers.shift();
    if (!answer) throw new Error('asked too often');
    return answer();
  });
}

function call(ask: ReturnType<typeof asking>, given: Partial<RetryPolicy> = {}, signal?: AbortSignal) {
  return askWithRetries(
    (attempt) => attempt.listen(() => ask(attempt.signal), true),
    { ...policy, ...given },
    aWay(),
    signal,
  );
}

function aWay(): Way {
  const lane = { provider: 'p', baseUrl: undefined, model: 'm', account: '' };
  return { lane, limiter: new LocalRateLimiter(), circuit: new CircuitBreaker() };
}

const fine = async () => pieces('a', 'b');
const failing = (error: Error) => async () => Promise.reject(error);
const never = <T>() => new Promise<T>(() => undefined);

describe('askWithRetries', () => {
  it.each([408, 429, 500, 503, 529])('asks again after a status of %i', async (status) => {
    const ask = asking(failing(refused(status, { 'retry-after-ms': '5' })), fine);

    expect(await collect(call(ask))).toEqual(['a', 'b']);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('gives up after so many requests, with what was said last', async () => {
    const ask = asking(...[500, 408, 502].map((status) => failing(refused(status))));

    await expect(collect(call(ask))).rejects.toThrow('status 502');
  });

  it.each([400, 401, 404])('does not repeat what is refused with %i', async (status) => {
    const ask = asking(failing(refused(status)), fine);

    await expect(collect(call(ask))).rejects.toThrow(`status ${status}`);
  });

  it('waits as long as the provider says', async () => {
    const ask = asking(failing(refused(429, { 'retry-after-ms': '80' })), fine);
    const beganMs = performance.now();

    await collect(call(ask));

    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(79);
  });

  it('does not wait longer than it may: what the provider said is the answer', async () => {
    const ask = asking(failing(refused(429, { 'retry-after': '3600' })), fine);

    await expect(collect(call(ask))).rejects.toThrow('status 429');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('does not ask a provider that told another call to wait longer', async () => {
    const way = aWay();
    const permit = await way.limiter.enter(way.lane, { signal: new AbortController().signal, maxHoldMs: 0 });
    permit.end({ kind: 'overloaded', retryAfterMs: 3_600_000 });
    const ask = asking(fine);
    const asked = askWithRetries((attempt) => attempt.listen(() => ask(attempt.signal), true), policy, way);

    await expect(collect(asked)).rejects.toMatchObject({ code: 'model.held-back' });
    expect(ask).not.toHaveBeenCalled();
  });

  it('keeps nobody from a model that was away while an answer of it is under way, or a wait for one', async () => {
    jest.useFakeTimers();
    const way = aWay();
    for (let n = 0; n < 6; n++) {
      way.circuit.begin('m').end({ kind: 'failed' });
      await jest.advanceTimersByTimeAsync(n < 5 ? 1_000 : 15_000);
    }
    const permit = await way.limiter.enter(way.lane, { signal: new AbortController().signal, maxHoldMs: 0 });
    permit.end({ kind: 'overloaded', retryAfterMs: 1_000 });
    const asked = askWithRetries((attempt) => attempt.listen(fine, true), DEFAULT_RETRY_POLICY, way);

    const first = asked.next();
    await jest.advanceTimersByTimeAsync(500);
    // It waits for the limiter, and does not try yet.
    way.circuit.check('m');
    await jest.advanceTimersByTimeAsync(500);
    expect((await first).value).toBe('a');
    way.circuit.check('m');
    jest.useRealTimers();
  });

  it('counts its waits together', async () => {
    const later = failing(refused(429, { 'retry-after-ms': '10' }));
    const ask = asking(later, later, later, later, fine);

    await expect(collect(call(ask, { maxAttempts: 9, maxWaitMs: 25 }))).rejects.toThrow('status 429');
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('asks again when nothing comes, and aborts the request that fell silent', async () => {
    const ask = asking(() => never(), fine);

    expect(await collect(call(ask))).toEqual(['a', 'b']);
    expect(ask.mock.calls[0]?.[0].aborted).toBe(true);
  });

  it('does not ask again once a piece was shown, but ends when nothing follows', async () => {
    const ask = asking(async () => ({
      async *[Symbol.asyncIterator]() {
        yield 'a';
        await never();
      },
    }));
    const shown = call(ask);

    expect((await shown.next()).value).toBe('a');
    await expect(shown.next()).rejects.toThrow('The model sent nothing for 60 ms.');
  });

  it('does not take a pause of whoever listens for a silence of the model', async () => {
    const shown = call(asking(fine));

    await shown.next();
    await new Promise((resolve) => setTimeout(resolve, 90));

    expect((await shown.next()).value).toBe('b');
  });

  it('asks again for what the provider sent and nobody was shown', async () => {
    const overloaded = Object.assign(new Error('late'), { error: { type: 'overloaded_error' } });
    const ask = asking(async () => pieces('a', overloaded), fine);
    const whole = askWithRetries(
      async function* (attempt) {
        yield (await collect(attempt.listen(() => ask(attempt.signal), true))).join('');
      },
      policy,
      aWay(),
    );

    expect(await collect(whole)).toEqual(['ab']);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('does not ask again when a stream breaks in its middle', async () => {
    const ask = asking(async () => pieces('a', new TypeError('terminated')), fine);

    await expect(collect(call(ask))).rejects.toThrow('terminated');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['that nobody can read', new UnreadableAnswer('it is empty.')],
    ['of which a part is in no place', new AdkError('unavailable', 'model.bad-answer', 'Misplaced.')],
    ['that ends before its end', new AdkError('unavailable', 'model.truncated', 'Broke off.')],
  ])('asks again for an answer %s; of a model that gives no others nobody asks', async (_what, error) => {
    const ask = asking(async () => pieces(error), fine);
    expect(await collect(call(ask))).toEqual(['a', 'b']);

    jest.useFakeTimers();
    const way = aWay();
    for (let n = 0; n < 6; n++) {
      const garbled = askWithRetries(() => pieces(error), { ...policy, maxAttempts: 1 }, way);
      await expect(collect(garbled)).rejects.toThrow(error);
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(() => way.circuit.check('m')).toThrow('failed 6 times');
    jest.useRealTimers();
  });

  it('does not ask again for an answer that is too large', async () => {
    const ask = asking(async () => pieces(tooLarge('Too large.')), fine);

    await expect(collect(call(ask))).rejects.toThrow('Too large.');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('does not repeat what is a mistake in the code', async () => {
    const ask = asking(failing(new TypeError('x is not a function')), fine);

    await expect(collect(call(ask))).rejects.toThrow('x is not a function');
  });

  it('ends a call that takes too long in all, however lively it is', async () => {
    const ask = asking(async () => ({
      async *[Symbol.asyncIterator]() {
        for (;;) {
          yield 'a';
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      },
    }));

    await expect(collect(call(ask, { totalTimeoutMs: 50 }))).rejects.toThrow(
      "The model's answer was not whole after 50 ms.",
    );
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('stops waiting for its next try when it is aborted, with the reason', async () => {
    const controller = new AbortController();
    const ask = asking(failing(refused(429)));
    const asked = collect(call(ask, { firstDelayMs: 60_000 }, controller.signal));

    setImmediate(() => controller.abort(new Error('cancelled')));

    await expect(asked).rejects.toThrow('cancelled');
  });
});
