import { type Frames, inPieces, type Said, type SaidPart } from '../provider-dialect';

const STOP = { tokens: 'max_tokens', safety: 'refusal' } as const;

/** An answer that is not streamed. `signature` gives the one of a thought. */
export function wholeMessage(said: Said, model: string, signature: Signature): object {
  return {
    ...opened(said, model),
    content: said.parts.map((part) => blockOf(part, signature)),
    ...ended(said),
    usage: { ...promptUsage(said), output_tokens: outputOf(said) },
  };
}

export type Signature = (thought: Extract<SaidPart, { thought: string }>) => string;

/** An answer event by event: https://platform.claude.com/docs/en/build-with-claude/streaming */
export function messageFrames(said: Said, model: string, signature: Signature): Frames {
  const start = {
    message: {
      ...opened(said, model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: { ...promptUsage(said), output_tokens: 1 },
    },
  };
  return {
    opening: [frame('message_start', start), frame('ping', {})],
    body: said.parts.flatMap((part, index) => [
      frame('content_block_start', { index, content_block: emptied(blockOf(part, signature)) }),
      ...deltasOf(part, signature).map((delta) => frame('content_block_delta', { index, delta })),
      frame('content_block_stop', { index }),
    ]),
    closing: [
      frame('message_delta', { delta: ended(said), usage: { output_tokens: outputOf(said) } }),
      frame('message_stop', {}),
    ],
    reason: frame('message_delta', { delta: ended(said) }),
  };
}

export function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function opened(_said: Said, model: string): object {
  return {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model,
    container: null,
    diagnostics: null,
  };
}

type Block = Readonly<Record<string, unknown>>;

function blockOf(part: SaidPart, signature: Signature): Block {
  if ('text' in part) return { type: 'text', text: part.text, citations: null };
  if ('thought' in part) return { type: 'thinking', thinking: part.thought, signature: signature(part) };
  const { id = 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', name, args, argsText } = part.call;
  return { type: 'tool_use', id, name, input: argsText ?? args ?? {}, caller: { type: 'direct' } };
}

/** A block as it begins, before its deltas. */
function emptied(block: Block): Block {
  switch (block.type) {
    case 'text':
      return { ...block, text: '' };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    default:
      return { ...block, input: {} };
  }
}

function deltasOf(part: SaidPart, signature: Signature): readonly object[] {
  if ('text' in part) return inPieces(part.text).map((text) => ({ type: 'text_delta', text }));
  if ('thought' in part) {
    const thoughts = inPieces(part.thought).map((thinking) => ({ type: 'thinking_delta', thinking }));
    return [...thoughts, { type: 'signature_delta', signature: signature(part) }];
  }
  const { args, argsText } = part.call;
  // The vendor sends one without words first, and no other for a call without arguments.
  const json = argsText ?? (args && Object.keys(args).length > 0 ? JSON.stringify(args) : '');
  return ['', ...inPieces(json)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

function ended({ parts, stop = 'end' }: Said): object {
  const isCall = parts.some((part) => 'call' in part);
  const refused = {
    type: 'refusal',
    category: 'general_harms',
    explanation: 'This request was declined because it could cause harm.',
  };
  return {
    stop_reason: stop === 'end' ? (isCall ? 'tool_use' : 'end_turn') : STOP[stop],
    stop_sequence: null,
    stop_details: stop === 'safety' ? refused : null,
  };
}

function promptUsage({ usage = { input: 4, output: 3 } }: Said): object {
  const { input, cached = 0 } = usage;
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: 'global',
    speed: null,
  };
}

function outputOf({ usage = { input: 4, output: 3 } }: Said): number {
  return usage.output;
}
