import { type Heard, type HeardPart, type HeardTurn, joinTurns } from '../provider-dialect';
import { type CompletionBody, type MessageBody, type UserPartBody } from './openai-schema';

/** A body that was checked, in no provider's words. */
export function hearCompletion(body: CompletionBody): Heard {
  const { model, messages, tools = [], temperature, stop, reasoning_effort: effort } = body;
  const limit = body.max_completion_tokens ?? body.max_tokens;
  const format = body.response_format;
  const choice = choiceOf(body.tool_choice);
  const system = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? wordsOf(message.content) : [],
  );
  return {
    model,
    ...(system.length > 0 ? { system: system.join('\n\n') } : {}),
    turns: joinTurns(messages.flatMap(turnsOf)),
    tools: tools.map((tool) => tool.function.name),
    ...(choice ? { choice } : {}),
    ...(format?.type === 'json_object' ? { json: {} } : {}),
    ...(format?.type === 'json_schema' ? { json: { schema: format.json_schema.schema } } : {}),
    thinks: typeof effort === 'string' && effort !== 'none',
    settings: {
      ...(typeof temperature === 'number' ? { temperature } : {}),
      ...(typeof limit === 'number' ? { maxOutputTokens: limit } : {}),
      ...(stop ? { stopSequences: typeof stop === 'string' ? [stop] : stop } : {}),
    },
  };
}

function choiceOf(choice: CompletionBody['tool_choice']): Heard['choice'] {
  if (choice === undefined) return undefined;
  if (typeof choice === 'object') return { mode: 'any', names: [choice.function.name] };
  return { mode: choice === 'required' ? 'any' : choice };
}

function turnsOf(message: MessageBody): HeardTurn[] {
  switch (message.role) {
    case 'assistant':
      return [{ role: 'model', parts: saidBy(message) }];
    case 'tool': {
      const response: unknown = JSON.parse(wordsOf(message.content));
      return [{ role: 'user', parts: [{ response: { id: message.tool_call_id, response } }] }];
    }
    case 'user': {
      const { content } = message;
      const parts = typeof content === 'string' ? [{ text: content }] : content.map(partOf);
      return [{ role: 'user', parts }];
    }
    case 'system':
    case 'developer':
      return [];
  }
}

function saidBy(message: Extract<MessageBody, { role: 'assistant' }>): HeardPart[] {
  const { content, tool_calls: calls = [], reasoning_content: thought = message.reasoning } = message;
  return [
    ...(thought ? [{ thought }] : []),
    ...(content ? [{ text: wordsOf(content) }] : []),
    ...calls.map(({ id, function: { name, arguments: args } }) => ({
      call: { id, name, args: JSON.parse(args) as unknown },
    })),
  ];
}

function partOf(part: UserPartBody): HeardPart {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image_url':
      return { media: mediaOf(part.image_url.url) };
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return { media: { mimeType: format === 'wav' ? 'audio/wav' : 'audio/mpeg', data } };
    }
    case 'file':
      return { media: mediaOf(part.file.file_data ?? part.file.file_id ?? '') };
  }
}

function mediaOf(url: string): { mimeType?: string; data?: string; uri?: string } {
  const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? [];
  return mimeType !== undefined && data !== undefined ? { mimeType, data } : { uri: url };
}

function wordsOf(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');
}
