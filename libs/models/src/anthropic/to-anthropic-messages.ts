import type {
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { type Content, type FunctionCall, type FunctionResponse, type Part } from '@skein/contracts';
import { type ToolNames } from '../request/tool-names';
import { withStandIns } from '../request/with-stand-ins';
import { withUserLast } from '../request/with-user-last';
import { AnthropicCallIds } from './anthropic-call-ids';
import { type AnthropicRole, toAnthropicBlock } from './to-anthropic-block';
import { toAnthropicMedia } from './to-anthropic-media';

interface Turn {
  readonly role: AnthropicRole;
  readonly parts: Part[];
}

interface SentCall {
  readonly call: FunctionCall;
  readonly sentId: string;
  readonly sentName: string;
}

/**
 * A conversation by the API's rules: turn by turn, the user first and last (B14), and behind each call its result, before
 * anything else the user says. The contents are left as they are; neighbours of one role are one message here alone (B11).
 */
export function toAnthropicMessages(
  contents: readonly Content[],
  names: Pick<ToolNames, 'sent'>,
): MessageParam[] {
  const ids = new AnthropicCallIds();
  const messages: MessageParam[] = [];
  let open: readonly SentCall[] = [];
  for (const { role, parts } of turnsOf(withStandIns(contents, assertTaken))) {
    if (role === 'user') {
      messages.push({ role, content: answersAndWords(parts, open) });
      continue;
    }
    const sent = sentCalls(parts, ids, names);
    messages.push({ role, content: parts.flatMap((part) => spoken(part, sent)) });
    open = sent;
  }
  return messages;
}

function assertTaken(part: Part): void {
  toAnthropicBlock(part, 'user');
}

function turnsOf(contents: readonly Content[]): Turn[] {
  const said = contents.flatMap((content): Content[] => {
    const sent = content.parts?.filter((part) => isSent(part, roleOf(content))) ?? [];
    // The API refuses thoughts that nothing was said after, as an answer has them that was cut.
    const parts = sent.slice(0, sent.findLastIndex((part) => !isThought(part)) + 1);
    return parts.length > 0
      ? [{ ...content, role: roleOf(content) === 'user' ? 'user' : 'model', parts }]
      : [];
  });
  const [opening] = withUserLast([]);
  const whole = withUserLast(said[0]?.role === 'model' && opening ? [opening, ...said] : said);
  const turns: Turn[] = [];
  for (const content of whole) {
    const role = roleOf(content);
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...(content.parts ?? []));
    else turns.push({ role, parts: [...(content.parts ?? [])] });
  }
  return turns;
}

function roleOf({ role }: Content): AnthropicRole {
  return role === 'model' || role === 'assistant' ? 'assistant' : 'user';
}

function isSent(part: Part, role: AnthropicRole): boolean {
  const { functionCall, functionResponse, inlineData, fileData } = part;
  if (functionCall ?? functionResponse ?? inlineData ?? fileData) return true;
  return toAnthropicBlock(part, role) !== undefined;
}

function isThought({ thought, functionCall }: Part): boolean {
  return thought === true && !functionCall;
}

/** The calls in the order of the parts that hold them. */
function sentCalls(
  parts: readonly Part[],
  ids: AnthropicCallIds,
  names: Pick<ToolNames, 'sent'>,
): SentCall[] {
  return parts.flatMap(({ functionCall: call }) =>
    call ? [{ call, sentId: ids.next(call.id), sentName: names.sent(call.name) }] : [],
  );
}

function spoken(part: Part, sent: readonly SentCall[]): ContentBlockParam[] {
  const { functionCall: call, functionResponse: response } = part;
  if (call) {
    const { sentId = '', sentName = call.name } = sent.find((one) => one.call === call) ?? {};
    return [{ type: 'tool_use', id: sentId, name: sentName, input: call.args ?? {} }];
  }
  if (response) return [told(response)];
  const block = toAnthropicBlock(part, 'assistant');
  return block ? [block] : [];
}

/** One result for each call, in the order of the calls; then what else there is. */
function answersAndWords(parts: readonly Part[], open: readonly SentCall[]): ContentBlockParam[] {
  const left = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  const results = open.map(({ call, sentId }) => result(sentId, takeResponse(left, call)));
  const words = parts.flatMap((part): ContentBlockParam[] => {
    const { functionCall: call, functionResponse: response } = part;
    if (call) return [{ type: 'text', text: `Called ${call.name} with ${JSON.stringify(call.args ?? {})}` }];
    if (response) return left.includes(response) ? [told(response)] : [];
    const block = toAnthropicBlock(part, 'user');
    return block ? [block] : [];
  });
  return [...results, ...words];
}

/** The response to a call, taken from what is left; ids may repeat, then the name and the order tell. */
function takeResponse(left: FunctionResponse[], { id, name }: FunctionCall): FunctionResponse | undefined {
  const ofId = left.filter((response) => response.id === id);
  const ofName = left.filter((response) => response.name === name && !response.id);
  const found = ofId.find((response) => response.name === name) ?? ofId[0] ?? ofName[0];
  if (found) left.splice(left.indexOf(found), 1);
  return found;
}

function result(sentId: string, response: FunctionResponse | undefined): ToolResultBlockParam {
  const block = { type: 'tool_result', tool_use_id: sentId } as const;
  if (!response) return { ...block, content: 'The tool gave no result.', is_error: true };
  const { response: answer = {}, parts } = response;
  const text = { type: 'text', text: JSON.stringify(answer) } as const;
  const media = Array.isArray(parts) ? (parts as Part[]).flatMap(shown) : [];
  return {
    ...block,
    content: media.length > 0 ? [text, ...media] : text.text,
    ...(answer.error === undefined || answer.error === null ? {} : { is_error: true }),
  };
}

/** A part beside the JSON of an answer. */
function shown(part: Part): (ReturnType<typeof toAnthropicMedia> | TextBlockParam)[] {
  if (part.inlineData ?? part.fileData) return [toAnthropicMedia(part)];
  return part.text?.trim() ? [{ type: 'text', text: part.text }] : [];
}

/** A response to a call that the conversation no longer holds. */
function told({ name, response }: FunctionResponse): ContentBlockParam {
  return { type: 'text', text: `Result of ${name}: ${JSON.stringify(response ?? {})}` };
}
