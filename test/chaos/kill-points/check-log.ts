import { type EventRow, type SessionRecord } from './session-record';

export type ProblemKind = 'lost' | 'appliedTwice' | 'divergent' | 'askedAgain' | 'ranAgain';

export interface Problem {
  readonly kind: ProblemKind;
  readonly sessionId: string;
  readonly what: string;
}

const ENDED = new Set(['waiting', 'completed', 'failed', 'cancelled', 'dead']);

/** What is wrong with a session's log whatever it was to say. */
export function checkLog(sessionId: string, record: SessionRecord): Problem[] {
  const problem = (kind: ProblemKind, what: string): Problem => ({ kind, sessionId, what });
  const open = record.invocations.filter(({ status }) => !ENDED.has(status));
  const gap = record.events.findIndex(({ seq }, index) => seq !== index + 1);
  return [
    ...open.map(({ id, status }) => problem('lost', `invocation ${id} is still ${status}`)),
    ...(gap < 0 ? [] : [problem('lost', `seq ${gap + 1} is missing`)]),
    ...(record.lastSeq === record.events.length
      ? []
      : [problem('lost', `last_seq is ${record.lastSeq} of ${record.events.length} events`)]),
    ...twice(record.events.map(({ id }) => id)).map((id) =>
      problem('appliedTwice', `event ${id} is there twice`),
    ),
    ...twice(record.events.flatMap(answeredCalls)).map((call) =>
      problem('appliedTwice', `call ${call} is answered twice`),
    ),
  ];
}

/** A confirmed call is answered twice by design: by the question, then by the result (B33). */
function answeredCalls({ content, invocation_id, actions }: EventRow): string[] {
  const asked = Object.keys(
    (actions as { requestedToolConfirmations?: object }).requestedToolConfirmations ?? {},
  );
  return (content?.parts ?? []).flatMap(({ functionResponse }) =>
    functionResponse && !asked.includes(functionResponse.id) ? `${invocation_id} ${functionResponse.id}` : [],
  );
}

function twice(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.has(value) || !seen.add(value));
}
