import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { aggregateStream, type LlmResponse } from '@skein/engine';
import { collect } from '@skein/testing';
import { cameFrom } from '../request/part-origin';
import { fromAnthropicEvents } from './from-anthropic-events';

const START = {
  type: 'message_start',
  message: { model: 'claude-sonnet-5', usage: { input_tokens: 9, output_tokens: 1 } },
};
const STOP = { type: 'message_stop' };

describe('fromAnthropicEvents', () => {
  it('gives text as it comes, then the whole answer (B17)', async () => {
    const { shown, whole } = await read([
      START,
      ...block(
        0,
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'One' },
        { type: 'text_delta', text: ' two.' },
      ),
      ended('end_turn', { output_tokens: 5, input_tokens: null }),
      STOP,
    ]);

    expect(shown.map(({ content }) => content?.parts)).toEqual([[{ text: 'One' }], [{ text: ' two.' }]]);
    expect(whole).toEqual({
      content: { role: 'model', parts: [{ text: 'One two.' }] },
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 },
      modelVersion: 'claude-sonnet-5',
    });
  });

  it('shows a call when it begins, and makes it whole of its pieces', async () => {
    const { shown, whole } = await read([
      START,
      ...aCall(0, 'a', 'f', '{"city": "K', 'öln", "n', 'ights": 2}'),
      ...aCall(1, 'b', 'g'),
      ended('tool_use'),
      STOP,
    ]);

    expect(shown[0]?.content?.parts).toEqual([{ functionCall: { id: 'a', name: 'f', willContinue: true } }]);
    expect(whole?.content?.parts).toEqual([
      { functionCall: { id: 'a', name: 'f', args: { city: 'Köln', nights: 2 } } },
      { functionCall: { id: 'b', name: 'g', args: {} } },
    ]);
  });

  it('keeps thoughts with their signatures, also those whose words are not told', async () => {
    const { whole } = await read([
      START,
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        thinking('Let me'),
        thinking(' see.'),
        signed('c2ln'),
      ),
      ...block(1, { type: 'redacted_thinking', data: 'ZGF0YQ==' }),
      ...block(2, { type: 'thinking', thinking: '', signature: '' }, signed('b21pdA==')),
      ...block(3, { type: 'text', text: 'Two.' }),
      ended('end_turn'),
      STOP,
    ]);

    expect(whole?.content?.parts).toEqual([
      {
        text: 'Let me see.',
        thought: true,
        thoughtSignature: 'c2ln',
        ...cameFrom({ provider: 'anthropic' }),
      },
      {
        thought: true,
        thoughtSignature: 'ZGF0YQ==',
        partMetadata: { skein: { provider: 'anthropic', isRedacted: true } },
      },
      { text: '', thought: true, thoughtSignature: 'b21pdA==', ...cameFrom({ provider: 'anthropic' }) },
      { text: 'Two.' },
    ]);
  });

  it('is truncated when the stream ends before the answer, however much of it there was', async () => {
    const text = block(0, { type: 'text', text: 'One' });

    const open = [START, ...text, ...aCall(1, 'a', 'f', '{}').slice(0, -1), ended('tool_use')];

    for (const events of [[], [START], [START, ...text], open]) {
      await expect(read(events)).rejects.toMatchObject({ code: 'model.truncated' });
    }
  });

  it('is whole once it says why it ends and all its blocks have ended', async () => {
    const text = block(0, { type: 'text', text: 'One' });

    expect((await read([START, ...text, ended('end_turn')])).whole).toMatchObject({
      content: { parts: [{ text: 'One' }] },
      finishReason: 'STOP',
      usageMetadata: { totalTokenCount: 14 },
    });
    await expect(read([START, ...text, ended('')])).rejects.toMatchObject({ code: 'model.truncated' });
  });

  it('keeps arguments that are no JSON object as they are, for the engine to answer', async () => {
    for (const malformedArgs of ['{"q": "never clo', '[1]']) {
      const { whole } = await read([START, ...aCall(0, 'a', 'f', malformedArgs), ended('tool_use'), STOP]);

      expect(whole?.content?.parts).toEqual([
        { functionCall: { id: 'a', name: 'f', args: {}, malformedArgs } },
      ]);
    }
  });

  it('takes arguments that a server does not stream', async () => {
    const call = block(0, { type: 'tool_use', id: 'a', name: 'f', input: { q: 1 } });
    const { whole } = await read([START, ...call, ended('tool_use'), STOP]);

    expect(whole?.content?.parts).toEqual([{ functionCall: { id: 'a', name: 'f', args: { q: 1 } } }]);
  });

  it('passes over kinds of events and blocks that it does not know', async () => {
    const { whole } = await read([
      START,
      { type: 'of_the_future', index: 0 },
      ...block(
        0,
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        { type: 'input_json_delta', partial_json: '{' },
      ),
      ...block(1, { type: 'text', text: 'Two.' }, { type: 'citations_delta', citation: {} }),
      ended('end_turn'),
      STOP,
    ]);

    expect(whole?.content?.parts).toEqual([{ text: 'Two.' }]);
  });

  it('reads a stream that tells no model and no usage', async () => {
    const { whole } = await read([
      { type: 'message_start', message: { role: 'assistant' } },
      ...block(0, { type: 'text' }, { type: 'text_delta', text: 'One' }),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      STOP,
    ]);

    expect(whole).toEqual({ content: { role: 'model', parts: [{ text: 'One' }] }, finishReason: 'STOP' });
  });

  it('counts what is told at the end alone', async () => {
    const { whole } = await read([
      { type: 'message_start', message: { usage: null } },
      ...block(0, { type: 'text', text: 'One' }),
      ended('end_turn', { input_tokens: 4, output_tokens: 5 }),
      STOP,
    ]);

    expect(whole?.usageMetadata).toEqual({
      promptTokenCount: 4,
      candidatesTokenCount: 5,
      totalTokenCount: 9,
    });
  });

  it('reads calls without a name, an id or an end of their own', async () => {
    const { whole } = await read([
      START,
      ...block(
        0,
        { type: 'tool_use', id: '', input: {} },
        { type: 'input_json_delta', partial_json: '{"q":' },
        { type: 'input_json_delta' },
        { type: 'input_json_delta', partial_json: '1}' },
      ),
      ...aCall(1, 'b', 'g', '{"r":', '2}').slice(0, -1),
      ended('tool_use'),
      STOP,
    ]);

    expect(whole?.content?.parts).toEqual([
      { functionCall: { name: 'unnamed_tool', args: { q: 1 } } },
      { functionCall: { id: 'b', name: 'g', args: { r: 2 } } },
    ]);
  });

  it('passes over deltas that say nothing', async () => {
    const { whole } = await read([
      START,
      ...block(0, { type: 'thinking' }, { type: 'thinking_delta' }, { type: 'signature_delta' }),
      ...block(1, { type: 'redacted_thinking' }),
      ...block(
        2,
        { type: 'text', text: null },
        { type: 'text_delta', text: null },
        { type: 'text_delta', text: 'Two.' },
      ),
      ended('end_turn'),
      STOP,
    ]);

    expect(whole?.content?.parts).toEqual([{ text: 'Two.' }]);
  });

  it.each([
    { type: 'message_start' },
    { type: 'content_block_start', index: 0 },
    { type: 'content_block_delta', index: 0 },
    { type: 'message_delta' },
    null,
  ])('tells an event in another form: %j', async (event) => {
    await expect(read([START, event])).rejects.toMatchObject({ code: 'model.bad-answer' });
  });
});

async function read(
  events: readonly unknown[],
): Promise<{ shown: LlmResponse[]; whole: LlmResponse | undefined }> {
  const answers = await collect(aggregateStream(fromAnthropicEvents(streamOf(events))));
  return { shown: answers.slice(0, -1), whole: answers.at(-1) };
}

async function* streamOf(events: readonly unknown[]): AsyncGenerator<RawMessageStreamEvent, void> {
  // As a server may write them, which need not be as the SDK's types have them.
  yield* events as RawMessageStreamEvent[];
}

function block(index: number, content_block: object, ...deltas: object[]): object[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function aCall(index: number, id: string, name: string, ...pieces: string[]): object[] {
  const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  return block(index, { type: 'tool_use', id, name, input: {} }, ...deltas);
}

function thinking(words: string): object {
  return { type: 'thinking_delta', thinking: words };
}

function signed(signature: string): object {
  return { type: 'signature_delta', signature };
}

function ended(stop_reason: string, usage: object = { output_tokens: 5 }): object {
  return { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage };
}
