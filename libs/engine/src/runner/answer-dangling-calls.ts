import { type Event, type FunctionCall, type Part } from '@skein/contracts';
import { describeError } from '../error/describe-error';
import { type InvocationContext } from '../agent/invocation-context';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';

/** Error responses for the calls a failed run leaves unanswered, so that the session's next turn is valid. */
export function answerDanglingCalls(root: InvocationContext, thrown: unknown): Event | undefined {
  const dangling = openCalls(root.session.events.filter((event) => event.invocationId === root.invocationId));
  if (dangling.length === 0) return undefined;

  const reason = describeError(thrown);
  const parts = dangling.map(({ id, name }): Part => ({
    functionResponse: {
      ...(id ? { id } : {}),
      name,
      response: { error: `The run failed before this call was answered: ${reason}` },
    },
  }));
  return root.createStepEvent({ stepKey: root.frame.step('error') }, { content: { role: 'user', parts } });
}

/** Calls without a response after them. In order, because models use one id again in a later round. */
function openCalls(events: readonly Event[]): FunctionCall[] {
  let open: FunctionCall[] = [];
  for (const event of events) {
    const answered = new Set(getFunctionResponses(event).map(({ id }) => id));
    open = [...open.filter(({ id }) => !answered.has(id)), ...getFunctionCalls(event)];
  }
  return open;
}
