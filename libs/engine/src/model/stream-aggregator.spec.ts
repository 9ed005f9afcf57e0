import { type Part } from '@skein/contracts';
import { FakeLlm, runTurn } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { FunctionTool } from '../tool/function-tool';
import { callInPieces, textInPieces, thoughtsAndCalls } from './__fixtures__/streamed-pieces';
import { type LlmResponse } from './llm-response';
import { StreamAggregator } from './stream-aggregator';

const piece = (...parts: Part[]): LlmResponse => ({ content: { role: 'model', parts } });
// A provider leaves the name out of later pieces.
const callPiece = (functionCall: object): LlmResponse => piece({ functionCall } as Part);

function aggregate(pieces: readonly LlmResponse[]): { shown: LlmResponse[]; whole: LlmResponse } {
  const aggregator = new StreamAggregator();
  const shown = pieces.flatMap((one) => aggregator.add(one) ?? []);
  return { shown, whole: aggregator.whole() };
}

describe('StreamAggregator', () => {
  it('refuses more parts than can be compared', () => {
    const calls = Array.from({ length: 10_001 }, (_, n) => callPiece({ id: `c${n}`, name: 'f', args: {} }));

    expect(() => aggregate(calls)).toThrow(expect.objectContaining({ code: 'model.too-large' }));
  });

  it('refuses an argument in a place deeper than can be kept', () => {
    const add = (levels: number): void => {
      const partialArgs = [{ jsonPath: `$${'.a'.repeat(levels)}`, numberValue: 1 }];
      new StreamAggregator().add(callPiece({ name: 'f', willContinue: true, partialArgs }));
    };

    expect(() => add(50)).not.toThrow();
    expect(() => add(100_000)).toThrow(expect.objectContaining({ code: 'model.bad-answer' }));
  });

  it('shows each piece as partial, and joins the text (B17, B19)', () => {
    const { shown, whole } = aggregate(textInPieces);

    expect(shown.map(({ partial, content }) => [partial, content?.parts])).toEqual([
      [true, [{ text: 'One' }]],
      [true, [{ text: ' two' }]],
      [true, [{ text: '.' }]],
    ]);
    expect(whole).toEqual({
      content: { role: 'model', parts: [{ text: 'One two.' }] },
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: 4, totalTokenCount: 7 },
      modelVersion: 'v1',
      groundingMetadata: { webSearchQueries: ['q'] },
      citationMetadata: { citations: [{ uri: 'u' }] },
    });
  });

  it('keeps thoughts, text and calls apart and in order, with their signatures', () => {
    const { whole } = aggregate(thoughtsAndCalls);

    expect(whole.content?.parts).toEqual([
      { text: 'Let me see.', thought: true, thoughtSignature: 'c2ln' },
      { text: 'One.' },
      { functionCall: { id: 'c', name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
      { text: 'Two.' },
    ]);
  });

  it('joins nothing to a part that is signed', () => {
    const parts = [{ text: 'a', thoughtSignature: 'c2ln' }, { text: 'b' }];

    expect(aggregate([piece(...parts)]).whole.content?.parts).toEqual(parts);
  });

  it('says nothing of an empty text, and keeps the signature of one', () => {
    const { shown, whole } = aggregate([piece({ text: '' }), piece({ text: '', thoughtSignature: 'c2ln' })]);

    expect(shown).toHaveLength(1);
    expect(whole.content?.parts).toEqual([{ text: '', thoughtSignature: 'c2ln' }]);
    expect(aggregate([{ ...piece({ text: '' }), finishReason: 'STOP' }]).whole).toEqual({
      finishReason: 'STOP',
    });
  });

  it('puts the arguments of a call together', () => {
    const { shown, whole } = aggregate(callInPieces);

    expect(whole.content?.parts).toEqual([
      { text: 'Wait.' },
      {
        thoughtSignature: 'c2ln',
        functionCall: {
          id: 'c',
          name: 'book',
          args: {
            city: 'New York',
            nights: 2,
            quiet: true,
            note: null,
            guest: { names: ['Ada', 'Bob'], 'home town': 'X' },
          },
        },
      },
      { functionCall: { name: 'ping', args: {} } },
    ]);
    // Each shown piece can stand alone: an event with a call that has no name would be refused.
    expect(shown.slice(1).map(({ content }) => content?.parts?.[0]?.functionCall?.name)).toEqual([
      ...Array<string>(callInPieces.length - 3).fill('book'),
      'ping',
    ]);
  });

  it('ends a call where the next one begins', () => {
    const arg = (stringValue: string) => [{ jsonPath: '$.q', stringValue }];
    const { whole } = aggregate([
      callPiece({ name: 'f', id: '1', partialArgs: arg('a'), willContinue: true }),
      callPiece({ name: 'f', id: '2', partialArgs: arg('b'), willContinue: true }),
      callPiece({ partialArgs: arg('c'), willContinue: true }),
      { ...piece({ text: 'Done.' }), finishReason: 'STOP' },
    ]);

    expect(whole.content?.parts).toEqual([
      { functionCall: { id: '1', name: 'f', args: { q: 'a' } } },
      { functionCall: { id: '2', name: 'f', args: { q: 'bc' } } },
      { text: 'Done.' },
    ]);
  });

  it('takes a call that comes twice once', () => {
    const call = callPiece({ name: 'f', id: '1', args: {} });

    expect(aggregate([call, call]).whole.content?.parts).toHaveLength(1);
    const another = callPiece({ name: 'f', id: '1', args: { a: 1 } });
    expect(aggregate([call, another]).whole.content?.parts).toHaveLength(2);
    expect(aggregate([callPiece({ name: 'f' }), callPiece({ name: 'f' })]).whole.content?.parts).toHaveLength(
      2,
    );
  });

  it.each(['MAX_TOKENS', 'SAFETY'])(
    'tells an answer that ended for %s, with what there is of it',
    (finishReason) => {
      const { whole } = aggregate([piece({ text: 'On' }), { ...piece({ text: 'ce' }), finishReason }]);

      expect(whole).toMatchObject({
        content: { parts: [{ text: 'Once' }] },
        finishReason,
        errorCode: finishReason,
        errorMessage: expect.any(String),
      });
    },
  );

  it('keeps the reason a provider gave for an error', () => {
    expect(
      aggregate([{ errorCode: 'SAFETY', errorMessage: 'Blocked.', finishReason: 'SAFETY' }]).whole,
    ).toEqual({
      errorCode: 'SAFETY',
      errorMessage: 'Blocked.',
      finishReason: 'SAFETY',
    });
  });

  it('refuses an answer that broke off within a call', () => {
    const aggregator = new StreamAggregator();
    aggregator.add(callPiece({ name: 'f', willContinue: true }));

    expect(() => aggregator.whole()).toThrow(expect.objectContaining({ code: 'model.truncated' }));
  });

  it.each(['$.list[9000000]', '$.text[0]', '$.text.x[1]', '$', '$.a[', '$.list.name'])(
    'refuses an argument at %s, where none can be',
    (jsonPath) => {
      const aggregator = new StreamAggregator();
      aggregator.add(
        callPiece({ name: 'f', args: { list: ['a'], text: {} }, willContinue: true, partialArgs: [] }),
      );

      expect(() => aggregator.add(callPiece({ partialArgs: [{ jsonPath, stringValue: 'x' }] }))).toThrow(
        expect.objectContaining({ code: 'model.bad-answer' }),
      );
    },
  );

  it('takes a path through a prototype for the names in it', () => {
    const { whole } = aggregate([
      callPiece({ name: 'f', partialArgs: [{ jsonPath: '$.__proto__.polluted', boolValue: true }] }),
    ]);

    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.stringify(whole.content?.parts?.[0]?.functionCall?.args)).toBe(
      '{"__proto__":{"polluted":true}}',
    );
  });

  it('makes what a whole run can show, and acts on once (B19)', async () => {
    const ran: unknown[] = [];
    const aggregator = new StreamAggregator();
    const shown = callInPieces.flatMap((one) => aggregator.add(one) ?? []);
    const tool = (name: string) =>
      new FunctionTool({ name, description: 'Notes.', execute: (args) => void ran.push([name, args]) });
    const model = new FakeLlm([[...shown, aggregator.whole()], [piece({ text: 'done' })]]);
    const agent = new LlmAgent({ name: 'root', model, tools: [tool('book'), tool('ping')] });

    const { events, error, journal } = await runTurn(agent, { runConfig: { streamingMode: 'sse' } });

    expect(error).toBeUndefined();
    expect(ran).toEqual([
      ['book', expect.objectContaining({ nights: 2 })],
      ['ping', {}],
    ]);
    expect(new Set(events.slice(0, shown.length + 1).map(({ id }) => id)).size).toBe(1);
    expect(journal.staged).toHaveLength(4);
  });
});
