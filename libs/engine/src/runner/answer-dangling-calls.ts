import { type Event, type FunctionCall, type Part } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type Writer } from '../agent/step-of-event';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { CLOSED_CALLS } from '../flow/answers-of';

/**
 * Error responses for the calls a failed or cancelled run leaves unanswered, so that the session's next turn is valid: one
 * event for each agent that called, by that agent and on its branch, as its own responses would be.
 */
export function answerDanglingCalls(
  root: InvocationContext,
  error: string,
  step: 'dangling' | 'cancelled' = 'dangling',
): Event[] {
  const { session, invocationId } = root;
  const open = openCalls(session.events.filter((event) => event.invocationId === invocationId));
  const byCaller = new Map<string, OpenCall[]>();
  for (const call of open) {
    const caller = JSON.stringify([call.author, call.branch]);
    byCaller.set(caller, [...(byCaller.get(caller) ?? []), call]);
  }
  return [...byCaller.values()].map((calls) => responsesTo(calls, root, { error, step }));
}

interface OpenCall {
  readonly call: FunctionCall;
  readonly author: string;
  readonly branch: string | undefined;
}

/** Calls without a response after them. In order, because models use one id again in a later round. */
function openCalls(events: readonly Event[]): OpenCall[] {
  let open: OpenCall[] = [];
  for (const event of events) {
    const { author, branch } = event;
    const answered = new Set(getFunctionResponses(event).map(({ id }) => id));
    open = [
      ...open.filter(({ call }) => !answered.has(call.id)),
      ...getFunctionCalls(event).map((call) => ({ call, author, branch })),
    ];
  }
  return open;
}

function responsesTo(
  calls: readonly OpenCall[],
  root: InvocationContext,
  { error, step }: { readonly error: string; readonly step: 'dangling' | 'cancelled' },
): Event {
  const parts = calls.map(({ call: { id, name } }): Part => ({
    functionResponse: { ...(id ? { id } : {}), name, response: { error } },
  }));
  const [{ author, branch }] = calls as [OpenCall];
  const writer: Writer = { author, branch };
  return root.ledger.createStepEvent(
    { stepKey: root.frame.step(step) },
    { content: { role: 'user', parts }, customMetadata: { [CLOSED_CALLS]: true } },
    writer,
  );
}
