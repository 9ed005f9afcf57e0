import { type Pool } from 'pg';
import { type toChainRows } from '../append/chain';
import { query } from './query';

/** What became of one chain that passed the fence. */
export interface StoredChainRow {
  readonly chain: number;
  readonly session_uid: string;
  /** The session's head before the chain. */
  readonly base_seq: number;
  readonly published_seq: number;
  readonly cancel_requested: boolean;
  /** The session's next invocation, claimed by the finish in this chain. */
  readonly next_invocation: string | null;
  readonly next_epoch: number | null;
  readonly clock_ms: number;
}

/** Stores one batch in one round trip. A chain that did not pass the fence is missing from the answer. */
export async function appendUnits(
  pool: Pool,
  { rows, events, sections }: ReturnType<typeof toChainRows>,
  leaseMs: number,
): Promise<StoredChainRow[]> {
  return query<StoredChainRow>(pool, statement, [
    JSON.stringify(rows),
    JSON.stringify(events),
    sections,
    leaseMs,
  ]);
}

const statement = {
  name: 'append-units',
  text: 'SELECT * FROM skein_append($1::jsonb, $2::jsonb, $3::text[], $4::bigint)',
};
