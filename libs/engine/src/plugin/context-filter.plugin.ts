import { type Content } from '@skein/contracts';
import { describeError } from '../error/describe-error';
import { CONTEXT_HEADER } from '../flow/contents/convert-foreign';
import { copyJson } from '../json/copy-json';
import { readContents, shareContents } from '../model/shared-contents';
import { warn } from '../telemetry/warn';
import { BasePlugin, type ModelHookParams } from './base-plugin';

export type ContentsFilter = (contents: Content[]) => Content[] | Promise<Content[]>;

export interface ContextFilterOptions {
  /** How many of the last invocations a model is shown, the current one included; all when absent or 0. */
  readonly numInvocationsToKeep?: number;
  /** Asked after that; what it answers is what the model is shown. */
  readonly customFilter?: ContentsFilter;
  readonly name?: string;
}

/** Keeps the contents of model requests short. What is stored stays; only the request has less of it. */
export class ContextFilterPlugin extends BasePlugin {
  readonly #options: ContextFilterOptions;

  constructor(options: ContextFilterOptions = {}) {
    super(options.name ?? 'context_filter_plugin');
    this.#options = options;
  }

  override async beforeModelCallback({ callbackContext, llmRequest }: ModelHookParams): Promise<undefined> {
    const { numInvocationsToKeep = 0, customFilter } = this.#options;
    try {
      const kept = lastInvocations(readContents(llmRequest), numInvocationsToKeep);
      if (customFilter) llmRequest.contents = await customFilter(kept.map(copyJson));
      else shareContents(llmRequest, kept);
    } catch (error) {
      // A request that is too long may still be answered; one that is not sent never is.
      warn('the contents of a request were not filtered', {
        plugin: this.name,
        invocationId: callbackContext.invocationId,
        reason: describeError(error),
      });
    }
  }
}

function lastInvocations(contents: readonly Content[], count: number): readonly Content[] {
  const starts = startsOf(contents);
  if (count <= 0 || starts.length <= count) return contents;
  const candidates = starts.slice(0, starts.length - count + 1);
  // Further back where an answer in it is to a call of an earlier one: models refuse a response without its call.
  const start = candidates.findLast((index) => holdsItsCalls(contents.slice(index)));
  return start === undefined ? contents : contents.slice(start);
}

function holdsItsCalls(contents: readonly Content[]): boolean {
  const parts = contents.flatMap((content) => content.parts ?? []);
  const calls = new Set(parts.map(({ functionCall }) => functionCall?.id));
  return parts.every(({ functionResponse }) => !functionResponse || calls.has(functionResponse.id));
}

/** Where invocations begin: at the first of the user's messages in a row. */
function startsOf(contents: readonly Content[]): number[] {
  const lastAnswer = contents.findLastIndex((content) => !isUserMessage(content));
  return [...contents.keys()].filter((index) => {
    const content = contents[index];
    const before = contents[index - 1];
    if (!content || !isUserMessage(content)) return false;
    if (!before) return true;
    // What closes the request behind a response may be an instruction (B12): the message it is about lies further up.
    return !isUserMessage(before) && !(index > lastAnswer && hasResponse(before));
  });
}

/** Neither what a tool gave nor what another agent said; both are told in the user's role. */
function isUserMessage(content: Content): boolean {
  return content.role === 'user' && !hasResponse(content) && content.parts?.[0]?.text !== CONTEXT_HEADER;
}

function hasResponse({ parts = [] }: Content): boolean {
  return parts.some(({ functionResponse }) => functionResponse);
}
