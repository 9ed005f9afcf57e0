/// <reference types="jest" />
import { type ServerResponse } from 'node:http';
import { type LlmResponse } from '@skein/engine';
import { type SaidPart } from '../../providers/provider-dialect';
import { saying, type Trial } from './trial';

const JSON_TYPE = { 'content-type': 'application/json' };
const LONG = 'Zwölf Boxkämpfer jagen Viktor über den Sylter Deich – and 日本語 too, 😀.';

/** What a model says is what is answered. */
export function answerCases(trial: Trial): void {
  it('is its text, shown in pieces when it is streamed (B17)', async () => {
    const { shown, ...whole } = await trial.whole(saying(LONG));

    expect(whole).toMatchObject({
      content: { role: 'model', parts: [{ text: LONG }] },
      finishReason: 'STOP',
    });
    expect(whole.errorCode).toBeUndefined();
    expect(trial.server.received.map(({ isStreamed }) => isStreamed)).toEqual([trial.stream]);
    if (trial.stream) expect(shown.length).toBeGreaterThan(1);
    if (trial.stream) expect(shown.map(textOf).join('')).toBe(LONG);
  });

  it('is whole however its bytes arrive', async () => {
    const answers = [await trial.whole({ says: saying(LONG), bytesPerWrite: 7 })];
    answers.push(await trial.whole({ says: saying(LONG), bytesPerWrite: 1 }));

    expect(answers.map(textOf)).toEqual([LONG, LONG]);
  });

  if (!trial.stream)
    it('may be thought about for longer than a stream may be silent', async () => {
      const { dialect, model } = trial.server;
      const replies = (response: ServerResponse): void => {
        setTimeout(() => response.writeHead(200, JSON_TYPE).end(dialect.whole(saying('Well.'), model)), 50);
      };

      const answer = await trial.whole({ replies }, { llm: { connectTimeoutMs: 1, idleTimeoutMs: 1 } });

      expect(textOf(answer)).toBe('Well.');
    });

  if (trial.stream)
    it.each(['cut', 'hang', 'garbage'] as const)(
      'stands once it is whole, whatever comes then: %s',
      async (how) => {
        const usage = { input: 120, output: 7 };
        const says = { ...saying(LONG), usage };
        const { content, finishReason, usageMetadata, errorCode } = await trial.whole({
          says,
          // In packets of their own, so that a connection that is lost takes none of them with it.
          bytesPerWrite: 64,
          breaks: { at: 'finished', how },
        });

        expect({ content, finishReason, errorCode }).toEqual({
          content: { role: 'model', parts: [{ text: LONG }] },
          finishReason: 'STOP',
          errorCode: undefined,
        });
        expect(usageMetadata).toMatchObject({ totalTokenCount: 127 });
        expect(trial.server.received).toHaveLength(1);
      },
    );

  if (trial.stream)
    it.each(['cut', 'ends', 'hang'] as const)(
      'stands once it says why it ends, though nothing is counted: %s',
      async (how) => {
        const { content, finishReason, errorCode } = await trial.whole(
          { says: saying(LONG), bytesPerWrite: 64, breaks: { at: 'reasoned', how } },
          // Shorter than what may come behind it is waited for.
          { llm: { idleTimeoutMs: how === 'hang' ? 1_600 : 20_000 } },
        );

        expect({ content, finishReason, errorCode }).toEqual({
          content: { role: 'model', parts: [{ text: LONG }] },
          finishReason: 'STOP',
          errorCode: undefined,
        });
        expect(trial.server.received).toHaveLength(1);
      },
    );

  if (trial.stream)
    it('stands once it is whole, however short a silence may be', async () => {
      const { content } = await trial.whole(
        { says: saying(LONG), breaks: { at: 'finished', how: 'hang' } },
        { llm: { idleTimeoutMs: 800 } },
      );

      expect(content?.parts).toEqual([{ text: LONG }]);
    });

  it('is a call, its arguments streamed or not', async () => {
    const args = { city: 'Köln', nights: 2, guests: [{ name: 'Ada "A" \\ {' }], note: null, quiet: true };
    const { content, finishReason } = await trial.whole(calling({ id: 'c1', name: 'book', args }));

    expect(content?.parts).toEqual([{ functionCall: { id: 'c1', name: 'book', args } }]);
    expect(finishReason).toBe('STOP');
  });

  it('is a call without arguments', async () => {
    const { content } = await trial.whole(calling({ id: 'c1', name: 'ping', args: {} }));

    expect(content?.parts?.[0]?.functionCall).toMatchObject({ id: 'c1', name: 'ping' });
    expect(content?.parts?.[0]?.functionCall?.args ?? {}).toEqual({});
  });

  it('is text and several calls, in their order, of tools that nobody declared as well', async () => {
    const { content } = await trial.whole({
      parts: [
        { text: 'Wait.' },
        { call: { id: 'c1', name: 'f', args: { q: 'a' } } },
        { call: { id: 'c2', name: 'not_declared', args: { q: 'b' } } },
        { call: { id: 'c3', name: 'f', args: { q: 'c' } } },
      ],
    });

    expect(content?.parts).toEqual([
      { text: 'Wait.' },
      { functionCall: { id: 'c1', name: 'f', args: { q: 'a' } } },
      { functionCall: { id: 'c2', name: 'not_declared', args: { q: 'b' } } },
      { functionCall: { id: 'c3', name: 'f', args: { q: 'c' } } },
    ]);
  });

  it('keeps two calls of one id apart', async () => {
    const { content } = await trial.whole(
      calling({ id: 'c1', name: 'f', args: { q: 'a' } }, { id: 'c1', name: 'g', args: { q: 'b' } }),
    );

    expect(content?.parts?.map(({ functionCall }) => functionCall)).toEqual([
      { id: 'c1', name: 'f', args: { q: 'a' } },
      { id: 'c1', name: 'g', args: { q: 'b' } },
    ]);
  });

  it('counts its tokens, those that came from a cache among them', async () => {
    const said = { ...saying('Well.'), usage: { input: 120, output: 7, cached: 100 } };
    const { usageMetadata } = await trial.whole(said);

    expect(usageMetadata).toMatchObject({
      promptTokenCount: 120,
      candidatesTokenCount: 7,
      totalTokenCount: 127,
      cachedContentTokenCount: 100,
    });
  });

  it('names the model that spoke', async () => {
    const { modelVersion } = await trial.whole(saying('Well.'));

    expect(modelVersion).toContain(trial.server.model);
  });

  it('that reached the limit of tokens is told as such, with what there is of it', async () => {
    const { content, finishReason } = await trial.whole({ ...saying('Once upon'), stop: 'tokens' });

    expect(finishReason).toBe('MAX_TOKENS');
    expect(content?.parts).toEqual([{ text: 'Once upon' }]);
  });

  it('that was refused is an error code and a sentence', async () => {
    const { errorCode, errorMessage, content } = await trial.whole({ parts: [], stop: 'safety' });

    expect(errorCode).toBe('SAFETY');
    expect(errorMessage).toEqual(expect.stringMatching(/\w+ \w+/));
    expect(content?.parts ?? []).toEqual([]);
  });
}

function calling(...calls: Extract<SaidPart, { call: unknown }>['call'][]) {
  return { parts: calls.map((call) => ({ call })) };
}

function textOf({ content }: LlmResponse): string {
  return (content?.parts ?? []).map(({ text = '' }) => text).join('');
}
