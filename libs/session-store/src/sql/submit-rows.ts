import { AdkError } from '@skein/contracts';
import { type Pool } from 'pg';
import { type CancelledRow } from './cancel-invocation';
import { type OnRows, queryJson } from './json-query';
import { type SubmitRefusal } from './submit-refusals';

/** One input on its way into the database. */
export interface InputRow {
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly input: object;
  /** Whom to claim it for when its session is free. */
  readonly runner: string | undefined;
  readonly lease_ms: number;
}

/** Told what a row comes to while its commit is on its way, under the rules of `OnRows`. */
export type OnSubmitRow = (row: SubmitRow) => void;

/** Whoever is told of a row on its way, where it goes alone. */
export interface SubmitListener {
  /** The statement leaves in the next pass of the event loop. Must not throw. */
  readonly onLeaving?: (() => void) | undefined;
  readonly onAnswer?: OnSubmitRow | undefined;
}

/** Stores one input in a transaction of its own. */
export async function submitRow(pool: Pool, row: InputRow, onAnswer?: OnSubmitRow): Promise<SubmitRow> {
  const values = [
    row.app_name,
    row.user_id,
    row.session_id,
    JSON.stringify(row.input),
    row.runner ?? null,
    String(row.lease_ms),
  ];
  const onRows: OnRows<SubmitRow> | undefined = onAnswer && (([stored]) => stored && onAnswer(stored));
  const [stored] = await queryJson<SubmitRow>(pool, one, values, onRows);
  return answered(stored);
}

/**
 * Stores inputs in one transaction, those of one session in their order; answers one for each. An error of one undoes all
 * of them, and so does a session that somebody else holds for long.
 */
export async function submitRows(pool: Pool, rows: readonly InputRow[]): Promise<SubmitRow[]> {
  const stored = await queryJson<{ place: number; answer: SubmitRow }>(pool, several, [JSON.stringify(rows)]);
  const answers = new Map(stored.map(({ place, answer }) => [place, answer]));
  return rows.map((_, index) => answered(answers.get(index + 1)));
}

function answered(row: SubmitRow | undefined): SubmitRow {
  if (!row) throw new AdkError('internal', 'store.failed', 'Submitting answered no row.');
  return row;
}

/** The stored scopes of a session's state. */
export interface Scopes {
  readonly session: Record<string, unknown>;
  readonly app: Record<string, unknown>;
  readonly user: Record<string, unknown>;
}

/** What skein_submit answers. */
export interface SubmitRow {
  readonly outcome: 'accepted' | 'enqueued' | 'replayed' | SubmitRefusal;
  /** What was wrong with what it should go on from. */
  readonly detail: string | null;
  readonly invocation_id: string;
  readonly segment: number;
  readonly last_epoch: number | null;
  readonly session_uid: string;
  readonly after_seq: number;
  readonly claimed_epoch: number | null;
  readonly from_seq: number | null;
  readonly scopes: Scopes | null;
  readonly updated_seconds: number | null;
  readonly published_seq: number | null;
  readonly interrupted: CancelledRow[] | null;
  /** Of the segment before it. */
  readonly asked_traceparent: string | null;
}

const one = {
  name: 'submit-input',
  text: 'SELECT to_json(s) FROM skein_submit($1, $2, $3, $4::jsonb, $5, $6::bigint) s',
};
const several = {
  name: 'submit-inputs',
  text: 'SELECT to_json(s) FROM skein_submit_several($1::jsonb) s',
};
