/*
 * Streams in the shapes that servers send them, each as in the place named; texts and ids are made up, and fields that no
 * reader looks at are left as they were.
 */

const about = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000 };

function chunk(delta: object, finish: string | null = null, more: object = {}): object {
  return { ...about, model: 'a-model', choices: [{ index: 0, delta, finish_reason: finish }], ...more };
}

function called(...calls: object[]): object {
  return { tool_calls: calls };
}

/** https://platform.openai.com/docs/api-reference/chat-streaming: the name first, then arguments in fragments, usage last. */
export const openaiStream = [
  chunk({ role: 'assistant', content: null, refusal: null }, null, { usage: null, obfuscation: 'x1' }),
  chunk(called({ index: 0, id: 'call_a', type: 'function', function: { name: 'f', arguments: '' } })),
  chunk(called({ index: 0, function: { arguments: '{"q"' } })),
  chunk(called({ index: 0, function: { arguments: ':"Paris"}' } })),
  chunk(called({ index: 1, id: 'call_b', type: 'function', function: { name: 'f', arguments: '' } })),
  chunk(called({ index: 1, function: { arguments: '{"q":"Rome"}' } })),
  chunk({}, 'tool_calls', { usage: null }),
  {
    ...about,
    model: 'gpt-4o-2024-08-06',
    choices: [],
    usage: {
      prompt_tokens: 120,
      completion_tokens: 27,
      total_tokens: 147,
      prompt_tokens_details: { cached_tokens: 100, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 0 },
    },
  },
];

/** https://github.com/ollama/ollama/issues/15457: whole calls, all of them at index 0; `reasoning` for thoughts. */
export const ollamaStream = [
  chunk({ role: 'assistant', content: '', reasoning: 'Two ' }, null, { system_fingerprint: 'fp_ollama' }),
  chunk({ role: 'assistant', content: '', reasoning: 'cities.' }),
  chunk(
    called({ id: 'call_a', index: 0, type: 'function', function: { name: 'f', arguments: '{"q":"Paris"}' } }),
  ),
  chunk(
    called({ id: 'call_b', index: 0, type: 'function', function: { name: 'f', arguments: '{"q":"Rome"}' } }),
  ),
  chunk({ role: 'assistant', content: '' }, 'tool_calls'),
  {
    ...about,
    model: 'a-model',
    choices: [],
    usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
  },
];

/** https://docs.vllm.ai/en/latest/features/reasoning_outputs.html: thoughts first; usage in each chunk when it is asked so. */
export const vllmStream = [
  chunk({ role: 'assistant', content: '' }, null, { usage: { prompt_tokens: 9, total_tokens: 9 } }),
  chunk({ reasoning_content: 'One ' }),
  chunk({ reasoning_content: 'city.' }),
  chunk(
    called({
      id: 'chatcmpl-tool-a',
      type: 'function',
      index: 0,
      function: { name: 'f', arguments: '{"q": ' },
    }),
  ),
  chunk(called({ index: 0, id: 'chatcmpl-tool-other', function: { arguments: '"Paris' } })),
  chunk(called({ index: 0, function: { arguments: '"}' } }), 'tool_calls', {
    usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
  }),
];

/** https://docs.litellm.ai/docs/reasoning_content: Claude behind the proxy, its thoughts signed. */
export const litellmStream = [
  chunk({
    role: 'assistant',
    content: '',
    reasoning_content: 'One city.',
    thinking_blocks: [{ type: 'thinking', thinking: 'One city.' }],
  }),
  chunk({
    content: '',
    reasoning_content: '',
    thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'c2ln' }],
  }),
  chunk({ content: 'Wait.' }),
  chunk(called({ id: 'toolu_a', type: 'function', index: 1, function: { name: 'f', arguments: '' } })),
  chunk(
    called({ id: null, type: 'function', index: 1, function: { name: null, arguments: '{"q":"Paris"}' } }),
  ),
  chunk({}, 'tool_calls'),
];
