/// <reference types="jest" />
import { collect } from '../../collect';
import { type Break } from '../../providers/behaviour';
import { type ProviderDialect } from '../../providers/provider-dialect';
import { saying, type Trial } from './trial';

const LONG = 'One two three four five six seven eight nine ten eleven twelve.';
/** Short enough to wait for, long enough for a busy machine to hear of a request before. */
const IMPATIENT = { connectTimeoutMs: 1_500, idleTimeoutMs: 1_500, totalTimeoutMs: 3_000 };

/** Whatever goes wrong is one clear error, and an answer that is not whole is never taken as one. */
export function failureCases(trial: Trial, dialect: ProviderDialect): void {
  it('of a wrong key tells so, and not the key', async () => {
    const failure = await trial.failure({ llm: { apiKey: 'wrong-key-9876543210-secret' } });

    expect(failure.name).toBe('ClientError');
    expect(failure.message).toMatch(/api.?key/i);
    expect(trial.server.refused).toHaveLength(1);
  });

  it('whose sentence repeats the key is told without it', async () => {
    const message = `Incorrect API key provided: ${trial.server.apiKey}.`;
    trial.server.queue({ refuses: 'wrong-key', message });

    expect((await trial.failure()).message).toContain('Incorrect API key provided: ');
  });

  it('of a model that does not exist names it', async () => {
    const { model } = trial.server;
    const { name, message } = await trial.failure({ llm: { model: `${model}-that-is-none` } });

    expect(name).toBe('ClientError');
    expect(message).toContain('that-is-none');
  });

  it('of a request over the context limit tells so', async () => {
    trial.server.queue({ refuses: 'too-long' });
    const { name, message } = await trial.failure();

    expect(name).toBe('ClientError');
    expect(message).toMatch(/token|context/i);
    expect(trial.server.received).toHaveLength(1);
  });

  it("of the provider's own is told as one", async () => {
    trial.server.queue({ refuses: 'failed', message: 'Something broke here.' });
    const { name, message } = await trial.failure();

    expect(name).toBe('ServerError');
    expect(message).toContain('Something broke here.');
  });

  it.each(['rate-limited', 'overloaded', 'failed'] as const)(
    'that passes is asked again, before the first piece: %s',
    async (refuses) => {
      trial.server.queue({ refuses, headers: { 'retry-after': '0' } });
      const { content } = await trial.whole(saying('Well.'), { llm: { maxAttempts: 2 } });

      expect(content?.parts).toEqual([{ text: 'Well.' }]);
      expect(trial.server.received).toHaveLength(2);
    },
  );

  it('that is a hang ends it', async () => {
    trial.server.queue({ hangs: true });

    // Not streamed, it has taken all the time that the call had: there is none to ask again.
    const llm = { ...IMPATIENT, maxAttempts: trial.stream ? 1 : 2 };
    expect(await trial.failure({ llm })).toMatchObject(failedBy('hang'));
    expect(await trial.server.received[0]?.ended).toBe('left');
    expect(trial.server.received).toHaveLength(1);
  });

  const breaks: readonly Break[] = [
    { at: 'begun', how: 'cut' },
    { at: 'begun', how: 'ends' },
    { at: 'begun', how: 'garbage' },
    { at: 'begun', how: 'hang' },
    { at: 'unfinished', how: 'cut' },
    { at: 'unfinished', how: 'ends' },
  ];
  for (const one of breaks)
    it(`in the middle is not taken for the end: ${one.at}, then ${one.how}`, async () => {
      trial.server.queue({ says: saying(LONG), breaks: one });
      // A connection that is lost may take with it what came over it last, and may be asked again.
      const isKept = trial.stream && one.how !== 'cut';
      const llm = { ...(one.how === 'hang' && IMPATIENT), maxAttempts: isKept ? 2 : 1 };
      const failure = await trial.failure({ llm });

      expect(failure).toMatchObject(failedBy(one.how, trial.stream));
      // A piece that was shown was shown; nothing is asked twice behind it.
      if (isKept) expect(failure.shown.length).toBeGreaterThan(0);
      expect(trial.server.received).toHaveLength(1);
    });

  const call = { id: 'c1', name: 'f', argsText: '{"q": "never clo' };
  if (dialect.hasArgumentsAsText) {
    it('is not made of arguments that are no JSON: the engine answers them', async () => {
      const { content } = await trial.whole({ parts: [{ call }] });

      const { id, name, argsText: malformedArgs } = call;
      expect(content?.parts).toEqual([{ functionCall: { id, name, args: {}, malformedArgs } }]);
    });
  } else {
    it('is made of arguments that are no JSON', async () => {
      trial.server.queue({ says: { parts: [{ call }] } });

      expect(await trial.failure()).toMatchObject(failedBy('garbage'));
    });
  }

  it('is no word when it is aborted before it begins', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));

    await expect(trial.failure({ signal })).resolves.toMatchObject({ message: 'cancelled' });
    expect(trial.server.received).toEqual([]);
  });

  it('is the reason of an abort, and the provider is left', async () => {
    const controller = new AbortController();
    const abort = (): void => controller.abort(new Error('cancelled'));
    trial.server.queue(
      trial.stream ? { says: saying(LONG), breaks: { at: 'begun', how: 'hang' } } : { replies: abort },
    );
    const pieces = trial.pieces({ signal: controller.signal });
    if (trial.stream) {
      await pieces.next();
      abort();
    }
    const rest = collect(pieces);

    await expect(rest).rejects.toThrow('cancelled');
    expect(await trial.server.received[0]?.ended).toBe('left');
  });

  it('leaves the next request alone', async () => {
    trial.server.queue({ refuses: 'bad-request', message: 'No.' });
    await trial.failure();

    expect((await trial.whole(saying('Well.'))).content?.parts).toEqual([{ text: 'Well.' }]);
  });
}

/** The error of an answer that breaks off in such a way. */
function failedBy(how: Break['how'], isStreamed = false): object {
  if (isStreamed && how === 'ends') {
    const broke: unknown = expect.stringMatching(/broke off before/);
    return { code: 'model.truncated', message: broke };
  }
  const failures: Readonly<Record<Break['how'], readonly [reason: string, says: RegExp]>> = {
    cut: ['connection', /broke off: \w+/],
    // Half of a text that is JSON is none.
    ends: ['unreadable', /^The model's answer could not be read: \w+/],
    garbage: ['unreadable', /^The model's answer could not be read: \w+/],
    hang: ['timeout', /sent nothing for 1500 ms|was not whole after 3000 ms/],
  };
  const [reason, message] = failures[how];
  const says: unknown = expect.stringMatching(message);
  return { code: reason === 'unreadable' ? 'model.bad-answer' : 'ModelError', reason, message: says };
}
