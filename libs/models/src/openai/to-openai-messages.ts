import { type Content, type FunctionCall, type FunctionResponse, type Part } from '@skein/contracts';
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { type ToolNames } from '../request/tool-names';
import { ownParts } from '../request/part-origin';
import { withStandIns } from '../request/with-stand-ins';
import { withUserLast } from '../request/with-user-last';
import { CallIds } from './call-ids';
import { type SentThoughts, thoughtsOf } from './to-openai-thoughts';
import { codeText, type OpenAILack, toOpenAIPart } from './to-openai-part';

export interface MessageOptions {
  readonly names: ToolNames;
  /** OpenAI's own service: it takes no thoughts back, and no long ids. */
  readonly isOpenAI: boolean;
  readonly lacks?: readonly OpenAILack[];
}

type AssistantMessage = ChatCompletionAssistantMessageParam & SentThoughts;

/** A conversation as messages, of whatever history: each call is followed by a message that answers it. */
export function toOpenAIMessages(
  contents: readonly Content[],
  options: MessageOptions,
): ChatCompletionMessageParam[] {
  const taken = withStandIns(contents, (part) => assertTaken(part, options));
  const told = withUserLast(taken.filter(isTold));
  const roundFrom = roundStart(told);
  const conversation = new Conversation(options);
  for (const [index, { role, parts = [] }] of told.entries()) {
    if (role === 'model') conversation.addModel(ownParts(parts, 'openai'), index > roundFrom);
    else conversation.addUser(parts);
  }
  return conversation.end();
}

/** Calls, thoughts and code have forms of their own. */
function assertTaken(part: Part, options: MessageOptions): void {
  if (part.thought !== true && codeText(part) === undefined) toOpenAIPart(part, options);
}

interface OpenCall {
  readonly id: string;
  readonly sentId: string;
  readonly name: string;
  answer?: string;
}

class Conversation {
  readonly #messages: ChatCompletionMessageParam[] = [];
  readonly #ids: CallIds;
  /** Calls of the model's last message; the user's words wait behind their answers. */
  #calls: OpenCall[] = [];
  #users: ChatCompletionContentPart[][] = [];

  constructor(private readonly options: MessageOptions) {
    this.#ids = new CallIds(options.isOpenAI);
  }

  addModel(parts: readonly Part[], isInRound: boolean): void {
    this.#close();
    const texts = parts.flatMap((part) => (isSpoken(part) ? (part.text ?? codeText(part) ?? []) : []));
    const calls = parts.flatMap((part) => (part.functionCall ? [this.#call(part, part.functionCall)] : []));
    // Thoughts go back while the calls that came of them are answered.
    const thoughts = isInRound && calls.length > 0 && !this.options.isOpenAI ? thoughtsOf(parts) : {};
    const message: AssistantMessage = {
      role: 'assistant',
      ...(texts.length > 0 ? { content: texts.join('\n') } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...thoughts,
    };
    if (texts.length > 0 || calls.length > 0) this.#messages.push(message);
    // What else a model made, it is shown as the user shows things: its own messages hold text alone.
    const others = parts.filter((part) => !isSpoken(part) && !part.functionCall && !part.thought);
    if (others.length > 0) this.addUser(others);
  }

  addUser(parts: readonly Part[]): void {
    const said = parts.filter(isToldPart).flatMap((part) => this.#userParts(part));
    if (said.length > 0) this.#users.push(said);
  }

  end(): ChatCompletionMessageParam[] {
    this.#close();
    return this.#messages;
  }

  #call(part: Part, { id = '', name, args = {} }: FunctionCall) {
    const sentId = this.#ids.next(id);
    this.#calls.push({ id, sentId, name });
    const signature = part.thoughtSignature;
    const extra = { extra_content: { google: { thought_signature: signature } } };
    return {
      id: sentId,
      type: 'function' as const,
      function: { name: this.options.names.sent(name), arguments: JSON.stringify(args) },
      ...(signature && !this.options.isOpenAI ? extra : {}),
    };
  }

  #userParts(part: Part): ChatCompletionContentPart[] {
    const { functionCall, functionResponse } = part;
    if (functionResponse) return this.#answer(functionResponse);
    if (functionCall) {
      const text = `Tool \`${functionCall.name}\` was called with: ${json(functionCall.args)}`;
      return [{ type: 'text', text }];
    }
    const code = codeText(part);
    return [code === undefined ? toOpenAIPart(part, this.options) : { type: 'text', text: code }];
  }

  /** Answers a call of the model's last message; of one that is not there, the user tells. */
  #answer(response: FunctionResponse): ChatCompletionContentPart[] {
    const answer = json(response.response);
    const open = this.#callOf(response);
    if (!open) return [{ type: 'text', text: `Tool \`${response.name}\` returned: ${answer}` }];
    open.answer = answer;
    // A tool's message holds text alone.
    const media = Array.isArray(response.parts) ? (response.parts as Part[]) : [];
    return media.filter(isToldPart).map((part) => toOpenAIPart(part, this.options));
  }

  /** By id, by name and in the order of the calls where ids repeat; the latest answer to a call is the one that counts. */
  #callOf({ id, name }: FunctionResponse): OpenCall | undefined {
    const ofId = this.#calls.filter((call) => (id ? call.id === id : call.name === name));
    const open = ofId.filter(({ answer }) => answer === undefined);
    return open.find((call) => call.name === name) ?? open[0] ?? ofId.at(-1);
  }

  #close(): void {
    for (const { sentId, answer = NO_ANSWER } of this.#calls) {
      this.#messages.push({ role: 'tool', tool_call_id: sentId, content: answer });
    }
    for (const parts of this.#users) this.#messages.push({ role: 'user', content: contentOf(parts) });
    this.#calls = [];
    this.#users = [];
  }
}

/** Of a tool that takes long, or of a run that was cut: the API refuses a call without an answer. */
const NO_ANSWER = JSON.stringify({ status: 'There is no result yet.' });

function contentOf(parts: ChatCompletionContentPart[]): string | ChatCompletionContentPart[] {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : parts;
}

/** A model's own words: text and code, thoughts not. */
function isSpoken(part: Part): boolean {
  return !part.thought && (Boolean(part.text) || codeText(part) !== undefined);
}

function isTold({ parts = [] }: Content): boolean {
  return parts.some(isToldPart);
}

/** Thoughts alone say nothing to anybody, and neither does an empty text. */
function isToldPart(part: Part): boolean {
  if (part.functionCall ?? part.functionResponse) return true;
  return !part.thought && part.text !== '';
}

/**
 * Where the user spoke last. Words right behind the answers of tools are none of his: an instruction that changes from turn
 * to turn is put there.
 */
function roundStart(contents: readonly Content[]): number {
  let start = -1;
  let isBehindAnswers = false;
  for (const [index, { role, parts = [] }] of contents.entries()) {
    const hasAnswer = parts.some(({ functionResponse }) => functionResponse);
    isBehindAnswers = role !== 'model' && (hasAnswer || isBehindAnswers);
    const hasWords = parts.some((part) => !part.functionResponse && isToldPart(part));
    if (role !== 'model' && hasWords && (hasAnswer || !isBehindAnswers)) start = index;
  }
  return start;
}

function json(value: unknown): string {
  return JSON.stringify(value ?? {});
}
