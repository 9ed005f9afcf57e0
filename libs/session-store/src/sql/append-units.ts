import { type Pool } from 'pg';
import { type StorableBatch } from '../append/chain';
import { queryJson } from './json-query';

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

/**
 * Stores one batch in one round trip. `onAnswer` is told what it comes to while its commit is on its way, under the rules of
 * `OnRows`.
 */
export async function appendUnits(
  pool: Pool,
  { rows, events, sections }: StorableBatch,
  leaseMs: number,
  onAnswer?: (batch: StoredBatch) => void,
): Promise<StoredBatch> {
  // Names of sections have nothing in them that an array's text would have to quote.
  const batch = [rows, events, `{${sections.join()}}`, String(leaseMs)];
  const onRows = onAnswer && ((answer: readonly AnswerRow[]): void => onAnswer(toStoredBatch(answer)));
  return toStoredBatch(await queryJson<AnswerRow>(pool, statement, batch, onRows));
}

function toStoredBatch(answer: readonly AnswerRow[]): StoredBatch {
  return {
    chains: new Map(answer.map((row) => [row.chain, row])),
    waiting: new Set(answer.flatMap((row) => row.waiting ?? [])),
  };
}

type AnswerRow = StoredChainRow & WaitingColumn;

/** Calls of the whole batch; in one of its rows. */
interface WaitingColumn {
  readonly waiting: readonly string[] | null;
}

const statement = {
  name: 'append-units',
  text: 'SELECT to_json(u) FROM skein_append_units($1::jsonb, $2::jsonb, $3::text[], $4::bigint) u',
};
