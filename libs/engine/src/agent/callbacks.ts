import { type Content, type ContentLike } from '@skein/contracts';
import { type LlmRequest } from '../model/llm-request';
import { type LlmResponse } from '../model/llm-response';
import { type BaseTool } from '../tool/base-tool';
import { type Context } from './context';

type Awaitable<T> = T | Promise<T>;
type Dict = Record<string, unknown>;
/** One callback or several in order; the first answer that is not undefined ends the row (B21, B27). */
export type OneOrMany<T> = T | readonly T[];

export type AgentCallback = (context: Context) => Awaitable<Content | ContentLike | undefined>;
export type BeforeModelCallback = (params: {
  context: Context;
  request: LlmRequest;
}) => Awaitable<LlmResponse | undefined>;
export type AfterModelCallback = (params: {
  context: Context;
  response: LlmResponse;
}) => Awaitable<LlmResponse | undefined>;
export type OnModelErrorCallback = (params: {
  context: Context;
  request: LlmRequest;
  error: Error;
}) => Awaitable<LlmResponse | undefined>;
export type BeforeToolCallback = (params: {
  tool: BaseTool;
  args: Dict;
  context: Context;
}) => Awaitable<Dict | undefined>;
export type AfterToolCallback = (params: {
  tool: BaseTool;
  args: Dict;
  context: Context;
  response: Dict;
}) => Awaitable<Dict | undefined>;
export type OnToolErrorCallback = (params: {
  tool: BaseTool;
  args: Dict;
  context: Context;
  error: Error;
}) => Awaitable<Dict | undefined>;

/** Runs callbacks in order until one answers; `undefined` and `null` are no answer, `{}` is one. None where there is none. */
export function firstAnswer<P, R>(
  callbacks: OneOrMany<(params: P) => Awaitable<R | undefined>> | undefined,
  params: P,
): Promise<R | undefined> | undefined {
  return callbacks && firstOf(listOf(callbacks), params);
}

/** What plugins answer, else what callbacks do, asked in this order (B21, B27, B40). Nothing to wait for where there are none. */
export function firstOfBoth<R>(
  byPlugins: Promise<R | undefined> | undefined,
  byCallbacks: () => Promise<R | undefined> | undefined,
): Promise<R | undefined> | undefined {
  return byPlugins ? byPlugins.then((answer) => answer ?? byCallbacks()) : byCallbacks();
}

async function firstOf<P, R>(
  callbacks: readonly ((params: P) => Awaitable<R | undefined>)[],
  params: P,
): Promise<R | undefined> {
  for (const callback of callbacks) {
    const answer = await callback(params);
    if (answer !== undefined && answer !== null) return answer;
  }
  return undefined;
}

function listOf<T>(oneOrMany: OneOrMany<T>): readonly T[] {
  return Array.isArray(oneOrMany) ? (oneOrMany as readonly T[]) : [oneOrMany as T];
}
