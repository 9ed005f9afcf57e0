import { aggregateStream, type LlmResponse } from '@skein/engine';
import { collect } from '@skein/testing';
import { cameFrom } from '../request/part-origin';
import { litellmStream, ollamaStream, openaiStream, vllmStream } from './__fixtures__/recorded-streams';
import { fromOpenAIChunks } from './from-openai-chunks';
import { readPiece, type WirePiece } from './openai-wire';

async function* streamOf(chunks: readonly unknown[]): AsyncGenerator<WirePiece, void> {
  for (const chunk of chunks) yield readPiece(chunk);
}

async function whole(chunks: readonly unknown[]): Promise<LlmResponse | undefined> {
  return (await collect(aggregateStream(fromOpenAIChunks(streamOf(chunks))))).at(-1);
}

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const paris = { name: 'f', args: { q: 'Paris' } };
const rome = { name: 'f', args: { q: 'Rome' } };

describe('fromOpenAIChunks', () => {
  it('reads a stream of OpenAI: calls in fragments, tokens counted in a chunk of their own', async () => {
    expect(await whole(openaiStream)).toEqual({
      content: {
        role: 'model',
        parts: [{ functionCall: { id: 'call_a', ...paris } }, { functionCall: { id: 'call_b', ...rome } }],
      },
      finishReason: 'STOP',
      usageMetadata: {
        promptTokenCount: 120,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 20,
        totalTokenCount: 147,
        cachedContentTokenCount: 100,
      },
      modelVersion: 'gpt-4o-2024-08-06',
    });
  });

  it('reads a stream of Ollama: whole calls at one index, thoughts in a field of their own', async () => {
    expect((await whole(ollamaStream))?.content?.parts).toEqual([
      {
        text: 'Two cities.',
        thought: true,
        partMetadata: { skein: { provider: 'openai', reasoningField: 'reasoning' } },
      },
      { functionCall: { id: 'call_a', ...paris } },
      { functionCall: { id: 'call_b', ...rome } },
    ]);
  });

  it('reads a stream of vLLM: thoughts, ids that change, the last fragment with the reason', async () => {
    expect(await whole(vllmStream)).toMatchObject({
      content: {
        parts: [{ text: 'One city.', thought: true }, { functionCall: { id: 'chatcmpl-tool-a', ...paris } }],
      },
      finishReason: 'STOP',
      usageMetadata: { totalTokenCount: 13 },
    });
  });

  it('reads a stream of LiteLLM: signed thoughts, and calls that are not counted from 0', async () => {
    expect((await whole(litellmStream))?.content?.parts).toEqual([
      { text: 'One city.', thought: true, thoughtSignature: 'c2ln', ...cameFrom({ provider: 'openai' }) },
      { text: 'Wait.' },
      { functionCall: { id: 'toolu_a', ...paris } },
    ]);
  });

  it('shows text as it comes, and calls when they are whole', async () => {
    const shown = await collect(aggregateStream(fromOpenAIChunks(streamOf(litellmStream))));

    expect(shown.map(({ partial, content }) => [partial, content?.parts?.length])).toEqual([
      ...[1, 1, 1, 1].map((parts) => [true, parts]),
      [undefined, 3],
    ]);
  });

  it('passes over what is null, empty or in another form than a server has to write it', async () => {
    const answer = await whole([
      { choices: [], usage: null },
      { choices: null, usage: 'none', model: 7 },
      { choices: [{ delta: null }] },
      chunk({ role: 'assistant', content: null, tool_calls: null, refusal: null, reasoning: null }),
      { choices: [{ index: null, delta: { content: 'On' }, logprobs: { content: [{ token: 1 }] } }] },
      chunk({ content: 'ce', tool_calls: [] }),
      chunk({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: null, total_tokens: '3' } },
    ]);

    expect(answer).toEqual({
      content: { role: 'model', parts: [{ text: 'Once' }] },
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: 3 },
    });
  });

  it('reads contents that are lists of parts, thoughts among them', async () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
    const chunks = [
      chunk({ content: [thinking] }),
      chunk({ content: [{ type: 'text', text: 'On' }] }),
      chunk({ content: [{ type: 'text', text: 'ce' }, { type: 'of_the_future' }] }),
      chunk({}, 'stop'),
    ];

    expect((await whole(chunks))?.content?.parts).toEqual([
      { text: 'Hm.', thought: true, ...cameFrom({ provider: 'openai' }) },
      { text: 'Once' },
    ]);
  });

  it.each([
    ['it breaks off', [chunk({ content: 'On' })]],
    ['it breaks off within a call', openaiStream.slice(0, 4)],
    ['it is empty', []],
    ['it counts tokens alone', [{ choices: [], usage: { total_tokens: 7 } }]],
  ])('is not taken for whole when %s', async (_why, chunks) => {
    await expect(whole(chunks)).rejects.toMatchObject({ code: 'model.truncated' });
  });

  it.each([
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
    ['load', 'OTHER'],
  ])('tells an answer that ended for %s, with what there is of it', async (finish, errorCode) => {
    expect(await whole([chunk({ content: 'On' }), chunk({ content: 'ce' }, finish)])).toMatchObject({
      content: { parts: [{ text: 'Once' }] },
      finishReason: errorCode,
      errorCode,
      errorMessage: expect.stringMatching(/\w+ \w+/),
    });
  });

  it("makes a refusal an error in the model's words", async () => {
    const chunks = [chunk({ refusal: 'I cannot ' }), chunk({ refusal: 'do that.' }), chunk({}, 'stop')];

    expect(await whole(chunks)).toEqual({
      finishReason: 'SAFETY',
      errorCode: 'SAFETY',
      errorMessage: 'I cannot do that.',
    });
  });

  it('leaves an answer that stopped without a word to the engine (B18)', async () => {
    expect(await whole([chunk({ content: '' }, 'stop')])).toEqual({ finishReason: 'STOP' });
  });

  it('keeps how likely its tokens were', async () => {
    const token = { token: 'On', logprob: -0.5, bytes: null, top_logprobs: [{ token: 'Off', logprob: -1 }] };
    const chunks = [
      { choices: [{ index: 0, delta: { content: 'On' }, logprobs: { content: [token] } }] },
      chunk({}, 'stop'),
    ];

    expect((await whole(chunks))?.customMetadata).toEqual({
      avgLogprobs: -0.5,
      logprobsResult: {
        chosenCandidates: [{ token: 'On', logProbability: -0.5 }],
        topCandidates: [{ candidates: [{ token: 'Off', logProbability: -1 }] }],
      },
    });
  });
});
