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

export interface StoredBatch {
  /** By number; a chain that did not pass the fence is missing. */
  readonly chains: ReadonlyMap<number, StoredChainRow>;
  /** Ids of the calls that were stored to wait for their turn. */
  readonly waiting: ReadonlySet<string>;
}

/** Stores one batch in one round trip. */
export async function appendUnits(
  pool: Pool,
  { rows, events, sections, calls }: ReturnType<typeof toChainRows>,
  leaseMs: number,
): Promise<StoredBatch> {
  const batch = [JSON.stringify(rows), JSON.stringify(events), sections, leaseMs];
  const answer =
    calls.length === 0
      ? await query<StoredChainRow>(pool, statement, batch)
      : await query<StoredChainRow | WaitingRow>(pool, statementWithCalls, [...batch, calls]);
  const chains = answer.filter((row) => row.chain !== null);
  const waiting = answer.flatMap((row) => (row.chain === null ? row.waiting : []));
  return { chains: new Map(chains.map((row) => [row.chain, row])), waiting: new Set(waiting) };
}

interface WaitingRow {
  readonly chain: null;
  readonly waiting: readonly string[];
}

const statement = {
  name: 'append-units',
  text: 'SELECT * FROM skein_append($1::jsonb, $2::jsonb, $3::text[], $4::bigint)',
};

const statementWithCalls = {
  name: 'append-units-with-calls',
  text: 'SELECT * FROM skein_append_calls($1::jsonb, $2::jsonb, $3::text[], $4::bigint, $5::text[])',
};
