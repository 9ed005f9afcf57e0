import { type Heard, type HeardPart, joinTurns } from '../provider-dialect';
import { blocksOf } from './anthropic-rules';
import { type BlockBody, type MessagesBody } from './anthropic-schema';

/** A body that was checked, in no provider's words. */
export function hearMessages(body: MessagesBody): Heard {
  const { model, system, messages, tools = [], thinking, max_tokens, stop_sequences } = body;
  const choice = choiceOf(body.tool_choice);
  const format = body.output_config?.format;
  return {
    model,
    ...(system === undefined ? {} : { system: wordsOf(system) }),
    turns: joinTurns(
      messages.map((message) => ({
        role: message.role === 'user' ? 'user' : 'model',
        parts: blocksOf(message).map(partOf),
      })),
    ),
    tools: tools.map(({ name }) => name),
    ...(choice ? { choice } : {}),
    ...(format ? { json: { schema: format.schema } } : {}),
    thinks: thinking !== undefined && thinking.type !== 'disabled',
    settings: {
      maxOutputTokens: max_tokens,
      ...(stop_sequences ? { stopSequences: stop_sequences } : {}),
    },
  };
}

function wordsOf(system: NonNullable<MessagesBody['system']>): string {
  return typeof system === 'string' ? system : system.map(({ text }) => text).join('\n\n');
}

function choiceOf(choice: MessagesBody['tool_choice']): Heard['choice'] {
  if (!choice) return undefined;
  return choice.type === 'tool' ? { mode: 'any', names: [choice.name] } : { mode: choice.type };
}

function partOf(block: BlockBody): HeardPart {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'thinking':
      return { thought: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return { thought: '', signature: block.data };
    case 'tool_use':
      return { call: { id: block.id, name: block.name, args: block.input } };
    case 'tool_result':
      return { response: { id: block.tool_use_id, response: parsed(block.content) } };
    case 'image':
    case 'document':
      return { media: mediaOf(block.source) };
  }
}

function mediaOf(source: Extract<BlockBody, { type: 'image' | 'document' }>['source']) {
  switch (source.type) {
    case 'url':
      return { uri: source.url };
    case 'file':
      return { uri: source.file_id };
    case 'base64':
      return { mimeType: source.media_type, data: source.data };
    case 'text':
      return { mimeType: source.media_type, data: Buffer.from(source.data).toString('base64') };
  }
}

function parsed(content: unknown): unknown {
  if (typeof content !== 'string') return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
