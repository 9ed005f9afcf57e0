import { collect } from '@skein/testing';
import { askPatiently, type Patience } from './ask-patiently';

const patience: Patience = { maxAttempts: 3, firstDelayMs: 1, idleTimeoutMs: 30 };

function refusal(status: number): Error {
  return Object.assign(new Error(`status ${status}`), { status });
}

async function* pieces(...all: (string | Error)[]): AsyncGenerator<string> {
  for (const one of all) {
    if (one instanceof Error) throw one;
    yield one;
  }
}

/** Answers each request with the next of these; a function is what is awaited. */
function asking(...answers: (() => Promise<AsyncIterable<string>>)[]) {
  return jest.fn(async (_signal: AbortSignal) => {
    const answer = answers.shift();
    if (!answer) throw new Error('asked too often');
    return answer();
  });
}

const fine = async () => pieces('a', 'b');
const never = <T>() => new Promise<T>(() => undefined);

describe('askPatiently', () => {
  it.each([429, 503, 529])('asks again after a status of %i', async (status) => {
    const ask = asking(async () => Promise.reject(refusal(status)), fine);

    expect(await collect(askPatiently(ask, patience))).toEqual(['a', 'b']);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('gives up after so many requests, with what was said last', async () => {
    const ask = asking(...[429, 429, 503].map((status) => async () => Promise.reject(refusal(status))));

    await expect(collect(askPatiently(ask, patience))).rejects.toThrow('status 503');
  });

  it.each([400, 401, 404])('does not repeat what is refused with %i', async (status) => {
    const ask = asking(async () => Promise.reject(refusal(status)));

    await expect(collect(askPatiently(ask, patience))).rejects.toThrow(`status ${status}`);
  });

  it('asks again when nothing comes, and aborts the request that fell silent', async () => {
    const ask = asking(() => never(), fine);

    expect(await collect(askPatiently(ask, patience))).toEqual(['a', 'b']);
    expect(ask.mock.calls[0]?.[0].aborted).toBe(true);
  });

  it('does not ask again once a piece was shown, but ends when nothing follows', async () => {
    const ask = asking(async () => ({
      async *[Symbol.asyncIterator]() {
        yield 'a';
        await never();
      },
    }));
    const shown = askPatiently(ask, patience);

    expect((await shown.next()).value).toBe('a');
    await expect(shown.next()).rejects.toThrow('The model sent nothing for 30 ms.');
  });

  it('does not ask again when a stream breaks in its middle', async () => {
    const ask = asking(async () => pieces('a', new TypeError('terminated')));

    await expect(collect(askPatiently(ask, patience))).rejects.toThrow('terminated');
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('stops waiting for its next try when it is aborted', async () => {
    const controller = new AbortController();
    const ask = asking(async () => Promise.reject(refusal(429)));
    const asked = collect(askPatiently(ask, { ...patience, firstDelayMs: 60_000 }, controller.signal));

    setImmediate(() => controller.abort());

    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });
});
