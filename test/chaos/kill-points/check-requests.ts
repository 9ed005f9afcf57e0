import { normalForm } from '../../conformance/normal-form';
import { groupBy } from '../support/group-by';
import { type Problem } from './check-log';
import { difference } from './difference';
import { type PlayedSession } from './play-session';
import { withoutUnknown } from './session-record';

/** A line of SCRIPTED_LLM_LOG. */
export interface ModelRequest {
  readonly sessionId: string;
  readonly agent: string;
  readonly ordinal: number;
  readonly pid: number;
  readonly request: { readonly contents: readonly unknown[] };
}

/** What each model answer of a scenario was asked with, by agent and ordinal. */
export type AskedWith = ReadonlyMap<string, string>;

export function askedWith(session: PlayedSession, requests: readonly ModelRequest[]): AskedWith {
  return new Map(requests.map((line) => [keyOf(line), comparableRequest(line, session)]));
}

/** Whether each model was asked for every answer, each time with the request of the run without faults. */
export function checkRequests(
  sessions: readonly PlayedSession[],
  requests: readonly ModelRequest[],
  oracleOf: (app: string) => AskedWith,
): Problem[] {
  const bySession = groupBy(requests, ({ sessionId }) => sessionId);
  return sessions.flatMap((session) => {
    const own = bySession.get(session.sessionId) ?? [];
    const oracle = oracleOf(session.app);
    const missing = [...oracle.keys()].filter((key) => !own.some((line) => keyOf(line) === key));
    const other = own.filter((line) => oracle.get(keyOf(line)) !== comparableRequest(line, session));
    const problems = [
      ...missing.map((key) => `nobody was asked for ${key}`),
      ...other.map(
        (line) =>
          `${keyOf(line)} was asked with ${difference(comparableRequest(line, session), oracle.get(keyOf(line)))}`,
      ),
    ];
    return problems.map((what) => ({ kind: 'divergent' as const, sessionId: session.sessionId, what }));
  });
}

function keyOf({ agent, ordinal }: ModelRequest): string {
  return `${agent} ${ordinal}`;
}

/** Side by side the agents' words come in either order, and so do the ids in them. */
function comparableRequest({ request }: ModelRequest, { scenario, sessionId }: PlayedSession): string {
  const text = JSON.stringify(withoutUnknown(request)).replaceAll(sessionId, 'SESSION');
  const whole = JSON.parse(text) as ModelRequest['request'];
  if (!scenario.isParallel) return JSON.stringify(normalForm(whole));
  const contents = whole.contents.map((content) => JSON.stringify(normalForm(content))).sort();
  return JSON.stringify(normalForm({ ...whole, contents }));
}
