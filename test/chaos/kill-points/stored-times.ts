import { type Pool } from 'pg';

/**
 * Tables of the test beside those of the product: when each event, and each result of a call, was stored. Triggers of
 * the same transaction fill them, so they are true whoever stores and whoever dies.
 */
const INSTALL = `
  CREATE SCHEMA chaos;
  CREATE TABLE chaos.stored_events (session_id text, id text, at timestamptz);
  CREATE TABLE chaos.stored_results (dispatch_id text, at timestamptz);
  CREATE FUNCTION chaos.note_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO chaos.stored_events VALUES (NEW.session_id, NEW.id, clock_timestamp());
    RETURN NULL;
  END $$;
  CREATE FUNCTION chaos.note_result() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO chaos.stored_results VALUES (NEW.dispatch_id, clock_timestamp());
    RETURN NULL;
  END $$;
  CREATE TRIGGER note_event AFTER INSERT ON adk_events FOR EACH ROW EXECUTE FUNCTION chaos.note_event();
  CREATE TRIGGER note_result AFTER UPDATE ON adk_tool_calls FOR EACH ROW
    WHEN (NEW.status IN ('done', 'dead') AND OLD.status NOT IN ('done', 'dead')) EXECUTE FUNCTION chaos.note_result();
`;

export interface StoredTimes {
  /** Milliseconds of the machine's clock, by event id. */
  readonly events: ReadonlyMap<string, number>;
  /** The same by dispatch id, when the call was over. */
  readonly results: ReadonlyMap<string, number>;
}

export async function noteStoredTimes(pool: Pool): Promise<void> {
  await pool.query(INSTALL);
}

export async function readStoredTimes(pool: Pool): Promise<StoredTimes> {
  const read = async (table: string, id: string): Promise<Map<string, number>> => {
    const { rows } = await pool.query<{ id: string; at: number }>(
      `SELECT ${id} AS id, extract(epoch FROM min(at))::float8 * 1000 AS at FROM chaos.${table} GROUP BY 1`,
    );
    return new Map(rows.map(({ id: key, at }) => [key, at]));
  };
  return { events: await read('stored_events', 'id'), results: await read('stored_results', 'dispatch_id') };
}
