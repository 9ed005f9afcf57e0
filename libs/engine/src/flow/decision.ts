import { type FunctionCall, type ToolConfirmation, toolConfirmationSchema } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { REQUEST_CONFIRMATION } from './request-events';
import { unwrapAnswer } from './unwrap-answer';
import { questionsOf, visibleEvents } from './user-answers';

const decisionSchema = toolConfirmationSchema.partial({ hint: true, confirmed: true });

/** What a human decided; anything but a well-formed yes is a no, a field nobody asked for too (B66). */
export function readDecision(response: Readonly<Record<string, unknown>> | undefined): ToolConfirmation {
  const read = decisionSchema.safeParse(unwrapAnswer(response));
  return { hint: '', confirmed: false, ...(read.success ? read.data : {}) };
}

/** The call a human was asked about, as it was stored: a client must not change what it allows (B33). */
export function callInQuestion({ args }: FunctionCall): FunctionCall | undefined {
  // Written by confirmationRequestEvent alone.
  return args?.originalFunctionCall as FunctionCall | undefined;
}

/** What was decided about a call before it asked for something else too; he is not asked the same again. */
export function earlierDecision(context: InvocationContext, callId: string): ToolConfirmation | undefined {
  const events = visibleEvents(context);
  // Models use one id again: only what was said since the call itself is about it.
  const called = events.findLastIndex((event) => getFunctionCalls(event).some(({ id }) => id === callId));
  const since = events.slice(called + 1);
  const request = questionsOf(context.agentName, since).findLast(
    (asked) => asked.name === REQUEST_CONFIRMATION && callInQuestion(asked)?.id === callId,
  );
  if (!request) return undefined;
  const answers = since.filter(({ author }) => author === 'user').flatMap(getFunctionResponses);
  const answer = answers.find(({ id }) => id === request.id);
  return answer && readDecision(answer.response);
}
