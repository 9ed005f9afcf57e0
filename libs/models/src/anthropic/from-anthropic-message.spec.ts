import type { ContentBlock, Message } from '@anthropic-ai/sdk/resources/messages';
import { cameFrom } from '../request/part-origin';
import { fromAnthropicMessage } from './from-anthropic-message';

describe('fromAnthropicMessage', () => {
  it('keeps text, calls and signed thoughts, usage and version', () => {
    const answer = fromAnthropicMessage(
      aMessage([
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZGF0YQ==' },
        { type: 'text', text: 'Wait.', citations: null },
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
      ]),
    );

    expect(answer).toEqual({
      content: {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true, thoughtSignature: 'c2ln', ...cameFrom({ provider: 'anthropic' }) },
          {
            thought: true,
            thoughtSignature: 'ZGF0YQ==',
            partMetadata: { skein: { provider: 'anthropic', isRedacted: true } },
          },
          { text: 'Wait.' },
          { functionCall: { id: 'toolu_1', name: 'f', args: { a: 1 } } },
        ],
      },
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: 'claude-sonnet-5',
    });
  });

  it('counts what came from a cache to the prompt, and thoughts apart from the answer', () => {
    const { usage } = aMessage([]);
    const { usageMetadata } = fromAnthropicMessage(
      aMessage([], {
        usage: {
          ...usage,
          cache_read_input_tokens: 100,
          cache_creation_input_tokens: 20,
          output_tokens_details: { thinking_tokens: 2 },
        },
      }),
    );

    expect(usageMetadata).toEqual({
      promptTokenCount: 130,
      cachedContentTokenCount: 100,
      cacheCreationTokenCount: 20,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 2,
      totalTokenCount: 135,
    });
  });

  it.each([
    ['end_turn', { finishReason: 'STOP' }],
    ['stop_sequence', { finishReason: 'STOP' }],
    ['tool_use', { finishReason: 'STOP' }],
    ['max_tokens', { finishReason: 'MAX_TOKENS', errorCode: 'MAX_TOKENS', errorMessage: /limit of tokens/ }],
    [
      'model_context_window_exceeded',
      { finishReason: 'MAX_TOKENS', errorCode: 'MAX_TOKENS', errorMessage: /context window/ },
    ],
    ['pause_turn', { finishReason: 'OTHER', errorCode: 'OTHER', errorMessage: /paused/ }],
    ['refusal', { finishReason: 'SAFETY', errorCode: 'SAFETY', errorMessage: /refused/ }],
    ['of_the_future', { finishReason: 'OTHER', errorCode: 'OTHER', errorMessage: /of_the_future/ }],
  ])('tells of the end %s', (reason, told: { finishReason: string; errorMessage?: RegExp }) => {
    const { errorMessage, ...codes } = told;
    const answer = fromAnthropicMessage(
      aMessage([{ type: 'text', text: 'Well', citations: null }], {
        stop_reason: reason as Message['stop_reason'],
      }),
    );

    expect(answer).toMatchObject({ ...codes, content: { parts: [{ text: 'Well' }] } });
    if (errorMessage) expect(answer.errorMessage).toMatch(errorMessage);
    else expect(answer.errorCode).toBeUndefined();
  });

  it.each([
    [{ explanation: 'It could do harm.' }, 'It could do harm.'],
    [{ category: 'bio' as const }, 'Claude refused to answer (bio).'],
  ])("tells a refusal in the provider's words: %j", (details, errorMessage) => {
    const stop_details = { type: 'refusal' as const, category: null, explanation: null, ...details };

    expect(fromAnthropicMessage(aMessage([], { stop_reason: 'refusal', stop_details }))).toMatchObject({
      errorCode: 'SAFETY',
      errorMessage,
    });
  });

  it('keeps arguments that are no object as they are, for the engine to answer', () => {
    const call = { type: 'tool_use', id: 'a', name: 'f', input: ['x'] } as unknown as ContentBlock;

    expect(fromAnthropicMessage(aMessage([call])).content?.parts).toEqual([
      { functionCall: { id: 'a', name: 'f', args: {}, malformedArgs: '["x"]' } },
    ]);
  });

  it('reads an answer of which a proxy left out the id, the model and the usage', () => {
    const { id: _id, model: _model, usage: _usage, ...rest } = aMessage([]);
    const message = { ...rest, content: [{ type: 'text', text: 'Well.' }], stop_reason: 'end_turn' };

    expect(fromAnthropicMessage(message)).toEqual({
      content: { role: 'model', parts: [{ text: 'Well.' }] },
      finishReason: 'STOP',
    });
  });

  it.each([
    ['null', null],
    ['nothing', undefined],
    ['a word', 'none'],
  ])('counts nothing where the usage is %s', (_what, usage) => {
    const answer = fromAnthropicMessage({ ...aMessage([]), usage });

    expect(answer.usageMetadata).toBeUndefined();
  });

  it('passes over blocks that it does not know, and takes a text alone for its block', () => {
    const blocks = [{ type: 'of_the_future', text: 7 }, null, 'a word', {}, { type: 'text', text: 'Two.' }];

    for (const content of [blocks, 'Two.']) {
      const answer = fromAnthropicMessage({ ...aMessage([]), content });
      expect(answer.content?.parts).toEqual([{ text: 'Two.' }]);
    }
  });

  it.each([
    ['without a name', { type: 'tool_use', id: 'a', input: { q: 1 } }, { id: 'a', name: 'unnamed_tool' }],
    ['without an id', { type: 'tool_use', name: 'f', input: { q: 1 } }, { name: 'f' }],
    ['of an empty id', { type: 'tool_use', id: '', name: 'f', input: { q: 1 } }, { name: 'f' }],
  ])('reads a call %s, for the engine to answer', (_what, block, call) => {
    expect(fromAnthropicMessage(aMessage([block as unknown as ContentBlock])).content?.parts).toEqual([
      { functionCall: { ...call, args: { q: 1 } } },
    ]);
  });

  it.each([
    [{ type: 'thinking', thinking: 'Hm.' }, [{ text: 'Hm.', thought: true }]],
    [{ type: 'thinking', signature: 'c2ln' }, [{ text: '', thought: true, thoughtSignature: 'c2ln' }]],
    [{ type: 'redacted_thinking' }, undefined],
    [{ type: 'text' }, undefined],
  ])('reads a block of which something is missing: %j', (block, parts) => {
    const { content } = fromAnthropicMessage(aMessage([block as unknown as ContentBlock]));

    expect(content?.parts?.map(({ partMetadata: _origin, ...part }) => part)).toEqual(parts);
  });

  it('tells of an answer that has nothing in it and does not say why', () => {
    expect(fromAnthropicMessage({ content: [] })).toMatchObject({
      errorCode: 'UNKNOWN_ERROR',
      errorMessage: 'The model gave no answer.',
    });
  });

  it('throws what a server says of its failure in the place of an answer', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };

    expect(() => fromAnthropicMessage({ type: 'error', error })).toThrow(
      expect.objectContaining({ message: 'Overloaded', error }),
    );
  });

  it('takes an answer that does not say why it ended for a whole one', () => {
    const answer = fromAnthropicMessage(
      aMessage([{ type: 'text', text: 'Well.', citations: null }], { stop_reason: null }),
    );

    expect(answer.errorCode).toBeUndefined();
    expect(answer.content?.parts).toEqual([{ text: 'Well.' }]);
  });

  it.each([
    ['{}', {}],
    ['text', '<html>'],
    ['an error', { type: 'error', error: {} }],
  ])('tells an answer that is none: %s', (_what, message) => {
    expect(() => fromAnthropicMessage(message)).toThrow(
      expect.objectContaining({ code: 'model.bad-answer' }),
    );
  });
});

function aMessage(content: ContentBlock[], given: Partial<Message> = {}): Message {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content,
    stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: 10,
      output_tokens: 5,
      cache_creation: null,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      inference_geo: null,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: 'standard',
      speed: null,
    },
    ...given,
  };
}
