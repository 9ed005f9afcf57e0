import { type Event, type FunctionCall, type FunctionResponse } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { isBranchVisible } from './contents/branch-visibility';

/** A question of this agent that the user just answered. */
export interface AnsweredRequest {
  readonly request: FunctionCall;
  readonly response: Readonly<Record<string, unknown>>;
}

/** The events an activation may look at: its own branch and those above it (B3). */
export function visibleEvents({ session, branch }: InvocationContext): Event[] {
  return session.events.filter((event) => isBranchVisible(event.branch, branch));
}

/**
 * The questions of this name that this agent asked and the user answered, if the last thing he said on this branch is an
 * answer (B33). What was asked is read from the stored question: the answer may say anything.
 */
export function answeredRequests(context: InvocationContext, name: string): AnsweredRequest[] {
  const { session, branch, agentName } = context;
  // From the end, and first: before most requests nobody answered anything, and the log may be long.
  const last = session.events.findLast(
    (event) => event.author === 'user' && event.content && isBranchVisible(event.branch, branch),
  );
  const answers = last ? getFunctionResponses(last).filter((response) => response.name === name) : [];
  if (answers.length === 0) return [];
  const asked = questionsOf(agentName, visibleEvents(context));
  return answers.flatMap(({ id, response = {} }: FunctionResponse) => {
    const request = asked.findLast((call) => call.id === id && call.name === name);
    return request ? [{ request, response }] : [];
  });
}

/**
 * The calls of an agent that stand open for its user. A model may make one of the same name itself: it was answered with
 * an error, and what it says in its arguments is nobody's question.
 */
export function questionsOf(agentName: string, events: readonly Event[]): FunctionCall[] {
  return events
    .filter(({ author }) => author === agentName)
    .flatMap((event) =>
      getFunctionCalls(event).filter(({ id }) => id && event.longRunningToolIds?.includes(id)),
    );
}

/** Whether a call ran since the user first answered a question about it: an answer given twice counts once. */
export function ranSinceAnswer(
  context: InvocationContext,
  { request, callId }: { readonly request: FunctionCall; readonly callId: string },
): boolean {
  const events = visibleEvents(context);
  const answered = events.findIndex((event) => event.author === 'user' && responds(event, request.id));
  return events.slice(answered + 1).some((event) => responds(event, callId));
}

function responds(event: Event, callId: string | undefined): boolean {
  return getFunctionResponses(event).some(({ id }) => id === callId);
}
