import { type Event } from '@skein/contracts';
import {
  type AuthConfig,
  getFunctionCalls,
  getFunctionResponses,
  REQUEST_CONFIRMATION,
  REQUEST_CREDENTIAL,
} from '@skein/engine';

/** `input` is of sessions that come from `@google/adk`: its graphs ask so. */
export type UserInputKind = 'input' | 'credential' | 'confirmation';

/** A question of an event to the user; its answer is a function response with this id and name. */
export interface UserInputRequest {
  kind: UserInputKind;
  interruptId: string;
  functionCallName: string;
  author?: string;
  message?: string;
  payload?: unknown;
  responseSchema?: unknown;
  /** Of a confirmation: the tool that waits for it. */
  toolName?: string;
  /** Of a credential: what is to be completed. */
  authConfig?: AuthConfig;
}

const KINDS: ReadonlyMap<string, UserInputKind> = new Map([
  ['adk_request_input', 'input'],
  [REQUEST_CREDENTIAL, 'credential'],
  [REQUEST_CONFIRMATION, 'confirmation'],
]);

/** What an event asks of the user, in its order. */
export function getUserInputRequests(event: Event): UserInputRequest[] {
  return getFunctionCalls(event).flatMap(({ id, name, args = {} }) => {
    const kind = KINDS.get(name);
    // Whoever asks names the call there; one that a model made up is nobody's question.
    if (!kind || !id || !event.longRunningToolIds?.includes(id)) return [];
    return [{ kind, interruptId: id, functionCallName: name, author: event.author, ...about(kind, args) }];
  });
}

/** Whether an event asks the user for something. */
export function requiresUserInput(event: Event): boolean {
  return getUserInputRequests(event).length > 0;
}

/** What is asked in a session and not answered, each question once. */
export function getPendingUserInputRequests(events: readonly Event[]): UserInputRequest[] {
  const answered = new Set(events.flatMap(getFunctionResponses).map(({ id }) => id));
  const open = events
    .flatMap(getUserInputRequests)
    .filter(({ interruptId }) => !answered.has(interruptId))
    .map((request) => [request.interruptId, request] as const);
  // The first of an id counts.
  return [...new Map(open.reverse()).values()].reverse();
}

function about(kind: UserInputKind, args: Readonly<Record<string, unknown>>): Partial<UserInputRequest> {
  if (kind === 'input') {
    const { message, payload, response_schema: responseSchema } = args;
    return said({ message, payload, responseSchema });
  }
  // As the engine asks; what a model made up has no such fields.
  if (kind === 'credential') return said({ message: args.message, authConfig: args.authConfig });
  const { hint: message, payload } = (args.toolConfirmation ?? {}) as Partial<Record<string, unknown>>;
  const { name: toolName } = (args.originalFunctionCall ?? {}) as Partial<Record<string, unknown>>;
  return said({ message: message === '' ? undefined : message, payload, toolName });
}

function said(fields: Readonly<Record<string, unknown>>): Partial<UserInputRequest> {
  const texts = new Set(['message', 'toolName']);
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) =>
      texts.has(name) ? typeof value === 'string' : value !== undefined && value !== null,
    ),
  );
}
