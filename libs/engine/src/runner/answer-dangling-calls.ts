import { type Event, type Part } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';

/** Error responses for the calls a failed run leaves unanswered, so that the session's next turn is valid. */
export function answerDanglingCalls(root: InvocationContext, thrown: unknown): Event | undefined {
  const events = root.session.events.filter(({ invocationId }) => invocationId === root.invocationId);
  const answered = new Set(events.flatMap(getFunctionResponses).map(({ id }) => id));
  const dangling = events.flatMap((event) => getFunctionCalls(event).filter(({ id }) => !answered.has(id)));
  if (dangling.length === 0) return undefined;

  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const parts = dangling.map(({ id, name }): Part => ({
    functionResponse: {
      ...(id ? { id } : {}),
      name,
      response: { error: `The run failed before this call was answered: ${reason}` },
    },
  }));
  return root.createStepEvent({ stepKey: root.frame.step('error') }, { content: { role: 'user', parts } });
}
