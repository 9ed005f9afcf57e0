import { type Frames, inPieces, type Said, type SaidCall } from '../provider-dialect';

/*
 * A completion and its chunks: https://platform.openai.com/docs/api-reference/chat/object and
 * https://platform.openai.com/docs/api-reference/chat-streaming. Thoughts as vLLM and LiteLLM tell them:
 * https://docs.vllm.ai/en/latest/features/reasoning_outputs.html.
 */

const FINISH = { end: 'stop', tokens: 'length', safety: 'content_filter' } as const;

export function wholeCompletion(said: Said, model: string): object {
  const text = said.parts.flatMap((part) => ('text' in part ? part.text : [])).join('');
  const thought = said.parts.flatMap((part) => ('thought' in part ? part.thought : [])).join('');
  const calls = callsOf(said).map((call) => ({
    ...idOf(call),
    type: 'function',
    function: functionOf(call),
  }));
  const message = {
    role: 'assistant',
    content: text || null,
    refusal: null,
    ...(thought ? { reasoning_content: thought } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    annotations: [],
  };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(said) }],
    usage: usageOf(said),
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  };
}

export function completionFrames(said: Said, model: string): Frames {
  const chunk = (choices: readonly object[], usage: object | null = null): string =>
    frame(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_760_000_000,
        model,
        service_tier: 'default',
        system_fingerprint: 'fp_1',
        choices,
        usage,
      }),
    );
  const delta = (content: object, finish: string | null = null): string =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finish }]);
  const reason = delta({}, finishOf(said));
  return {
    opening: [delta({ role: 'assistant', content: '', refusal: null })],
    body: deltasOf(said).map((one) => delta(one)),
    closing: [reason, chunk([], usageOf(said)), frame('[DONE]')],
    reason,
  };
}

function deltasOf({ parts }: Said): object[] {
  let calls = 0;
  return parts.flatMap((part): object[] => {
    if ('text' in part) return inPieces(part.text).map((content) => ({ content }));
    if ('thought' in part) return inPieces(part.thought).map((piece) => ({ reasoning_content: piece }));
    return callDeltas(part.call, calls++);
  });
}

/** The name first, then the arguments in fragments. */
function callDeltas(call: SaidCall, index: number): object[] {
  const { name, arguments: text } = functionOf(call);
  const first = { index, ...idOf(call), type: 'function', function: { name, arguments: '' } };
  const fragments = inPieces(text).map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...fragments].map((one) => ({ tool_calls: [one] }));
}

function functionOf({ name, args = {}, argsText }: SaidCall): { name: string; arguments: string } {
  return { name, arguments: argsText ?? JSON.stringify(args) };
}

function idOf({ id }: SaidCall): { id?: string } {
  return id === undefined ? {} : { id };
}

function callsOf({ parts }: Said): SaidCall[] {
  return parts.flatMap((part) => ('call' in part ? part.call : []));
}

function finishOf(said: Said): string {
  if (said.stop !== undefined && said.stop !== 'end') return FINISH[said.stop];
  return callsOf(said).length > 0 ? 'tool_calls' : FINISH.end;
}

function usageOf({ usage = { input: 4, output: 3 } }: Said): object {
  const { input, output, cached = 0 } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

export function frame(data: string): string {
  return `data: ${data}\n\n`;
}
