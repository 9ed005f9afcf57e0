import { FinishReason, BlockedReason, type Part } from '@google/genai';
import { aggregateStream } from '@skein/engine';
import { collect } from '@skein/testing';
import { fromGeminiChunks } from './from-gemini-chunks';
import { fromGeminiResponse, type GeminiResponse } from './from-gemini-response';

describe('fromGeminiResponse', () => {
  it('keeps text and calls, reason, usage and version', () => {
    const parts = [{ text: 'Wait.' }, { functionCall: { name: 'f', args: {} } }];

    expect(
      fromGeminiResponse({
        ...response(parts, FinishReason.STOP),
        usageMetadata: { totalTokenCount: 3 },
        modelVersion: 'v1',
      }),
    ).toEqual({
      content: { role: 'model', parts },
      finishReason: 'STOP',
      usageMetadata: { totalTokenCount: 3 },
      modelVersion: 'v1',
    });
  });

  it('leaves an answer that stopped without a word to the engine (B18)', () => {
    expect(fromGeminiResponse(response([], FinishReason.STOP))).toEqual({ finishReason: 'STOP' });
  });

  it('makes a refusal an error code with its reason', () => {
    expect(fromGeminiResponse(response([], FinishReason.SAFETY))).toMatchObject({ errorCode: 'SAFETY' });
    expect(
      fromGeminiResponse({
        promptFeedback: { blockReason: BlockedReason.BLOCKLIST, blockReasonMessage: 'Blocked.' },
      }),
    ).toEqual({ errorCode: 'BLOCKLIST', errorMessage: 'Blocked.' });
    const [candidate] = response([{ text: 'Well' }], FinishReason.SAFETY).candidates ?? [];
    expect(fromGeminiResponse({ candidates: [{ ...candidate, finishMessage: 'Unsafe.' }] })).toMatchObject({
      content: { parts: [{ text: 'Well' }] },
      errorCode: 'SAFETY',
      errorMessage: 'Unsafe.',
    });
    expect(fromGeminiResponse({})).toMatchObject({ errorCode: 'UNKNOWN_ERROR' });
  });
});

describe('fromGeminiChunks', () => {
  it('takes a chunk without an answer for what it says about one', async () => {
    const chunks = [
      response([{ text: 'Hi.' }], FinishReason.STOP),
      { usageMetadata: { totalTokenCount: 7 }, modelVersion: 'v1' },
    ];

    expect(await collect(aggregateStream(fromGeminiChunks(streamOf(chunks))))).toEqual([
      { partial: true, content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' },
      {
        content: { role: 'model', parts: [{ text: 'Hi.' }] },
        finishReason: 'STOP',
        usageMetadata: { totalTokenCount: 7 },
        modelVersion: 'v1',
      },
    ]);
  });

  it.each([
    ['the prompt was blocked', [{ promptFeedback: { blockReason: BlockedReason.SAFETY } }], 'SAFETY'],
    [
      'it broke off for a reason',
      [response([{ text: 'Well' }]), response([], FinishReason.RECITATION)],
      'RECITATION',
    ],
    ['it holds nothing', [{ usageMetadata: { totalTokenCount: 7 } }], 'UNKNOWN_ERROR'],
    ['it is empty', [], 'UNKNOWN_ERROR'],
  ])('is an error when %s', async (_why, chunks: GeminiResponse[], errorCode) => {
    const answers = await collect(aggregateStream(fromGeminiChunks(streamOf(chunks))));

    expect(answers.at(-1)).toMatchObject({ errorCode });
  });
});

async function* streamOf(chunks: readonly GeminiResponse[]): AsyncGenerator<GeminiResponse, void> {
  yield* chunks;
}

function response(parts: Part[], finishReason?: FinishReason): GeminiResponse {
  return { candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }] };
}
