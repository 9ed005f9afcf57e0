import { FinishReason, BlockedReason, type Part } from '@google/genai';
import { fromGeminiResponse, type GeminiResponse } from './from-gemini-response';
import { GeminiAnswer } from './gemini-answer';

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
    expect(fromGeminiResponse({})).toMatchObject({ errorCode: 'UNKNOWN_ERROR' });
  });
});

describe('GeminiAnswer', () => {
  it('joins runs of text and of thought, and keeps calls in their place', () => {
    const answer = new GeminiAnswer();
    const call = { functionCall: { name: 'f', args: { a: 1 } } };
    for (const part of [
      { text: 'Let me ', thought: true },
      { text: 'see.', thought: true, thoughtSignature: 'c2ln' },
      { text: 'On' },
      { text: 'e.' },
      call,
      { text: 'Two.' },
    ]) {
      answer.add(response([part]));
    }
    answer.add(response([], FinishReason.STOP));

    expect(fromGeminiResponse(answer.whole)).toEqual({
      finishReason: 'STOP',
      content: {
        role: 'model',
        parts: [
          { text: 'Let me see.', thought: true, thoughtSignature: 'c2ln' },
          { text: 'One.' },
          call,
          { text: 'Two.' },
        ],
      },
    });
  });

  it('joins nothing to a part that is signed', () => {
    const answer = new GeminiAnswer();
    answer.add(response([{ text: 'a', thoughtSignature: 'c2ln' }, { text: 'b' }]));

    expect(answer.whole.candidates?.[0]?.content?.parts).toEqual([
      { text: 'a', thoughtSignature: 'c2ln' },
      { text: 'b' },
    ]);
  });

  it('is a refusal when the prompt was blocked', () => {
    const answer = new GeminiAnswer();
    answer.add({ promptFeedback: { blockReason: BlockedReason.SAFETY } });

    expect(fromGeminiResponse(answer.whole)).toMatchObject({ errorCode: 'SAFETY' });
  });
});

function response(parts: Part[], finishReason?: FinishReason): GeminiResponse {
  return { candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }] };
}
