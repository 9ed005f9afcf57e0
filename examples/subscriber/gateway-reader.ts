import { z } from 'zod';
import { type Place } from './message';

const pageSchema = z.object({
  lastSeq: z.number(),
  events: z.array(z.object({ seq: z.number(), event: z.unknown() })),
});
const refusalSchema = z.object({ code: z.string() });
const TIMEOUT_MS = 30_000;

/** The gateway answered that it will not: to ask again right away is no use. */
export class ReadRefused extends Error {
  constructor(
    message: string,
    /** The session was deleted; the one that has its id now is another. */
    readonly isGone: boolean,
  ) {
    super(message);
  }
}

/** The log of a session, over REST: PostgreSQL has every event, also those that the stream has not any more. */
export class GatewayReader {
  constructor(private readonly url: string) {}

  /** A page of the events above `seq`, in order; throws `ReadRefused`, or another error while the gateway is away. */
  async eventsAfter(place: Place): Promise<z.infer<typeof pageSchema>> {
    const { appName, userId, sessionId, sessionUid, seq } = place;
    const [app, user, session] = [appName, userId, sessionId].map(encodeURIComponent);
    const query = new URLSearchParams({ after: String(seq), sessionUid }).toString();
    const response = await fetch(
      `${this.url}/apps/${app}/users/${user}/sessions/${session}/events?${query}`,
      { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    const text = await response.text();
    if (response.ok) return pageSchema.parse(JSON.parse(text));
    const refused = `${response.status} ${text}`;
    if (response.status >= 500 || response.status === 429) throw new Error(refused);
    throw new ReadRefused(refused, ['session.deleted', 'session.not-found'].includes(codeOf(text)));
  }
}

function codeOf(text: string): string {
  try {
    return refusalSchema.parse(JSON.parse(text)).code;
  } catch {
    // Not our gateway's words: some proxy's, and no word on the session.
    return '';
  }
}
