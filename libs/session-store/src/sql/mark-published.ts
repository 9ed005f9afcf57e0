import { type SessionKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

export interface Published {
  readonly key: SessionKey;
  readonly sessionUid: string;
  readonly seq: number;
  /** Which of its lives the stream was in when these were published, or an earlier one. */
  readonly stream: string | undefined;
}

/**
 * Notes up to where sessions are published, for those no append has noted it of. A session somebody is appending to is
 * skipped: its next append notes it, and waiting here could lock out a batch that comes the other way. Nothing is noted of
 * a stream that is lost.
 */
export async function markPublished(pool: Pool, published: readonly Published[]): Promise<void> {
  await query(pool, statement, [
    published.map(({ key }) => key.appName),
    published.map(({ key }) => key.userId),
    published.map(({ key }) => key.sessionId),
    published.map(({ sessionUid }) => sessionUid),
    published.map(({ seq }) => seq),
    published.map(({ stream }) => stream ?? null),
  ]);
}

const statement = {
  name: 'mark-published',
  // The stream is locked: whoever takes back what was published into the one before it comes after this, not beside it.
  text: `
  WITH stream AS MATERIALIZED (
    SELECT known.created FROM adk_streams known WHERE known.name = 'EVENTS' FOR SHARE),
  free AS (
    SELECT s.app_name, s.user_id, s.id, p.seq
      FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::bigint[], $6::text[])
             AS p(app_name, user_id, id, uid, seq, stream)
      JOIN adk_sessions s
        ON s.app_name = p.app_name AND s.user_id = p.user_id AND s.id = p.id AND s.uid = p.uid
     WHERE s.published_seq < p.seq AND p.stream IS NOT DISTINCT FROM (SELECT stream.created FROM stream)
       FOR NO KEY UPDATE OF s SKIP LOCKED)
  UPDATE adk_sessions s
     SET published_seq = least(s.last_seq, free.seq)
    FROM free
   WHERE s.app_name = free.app_name AND s.user_id = free.user_id AND s.id = free.id`,
};
