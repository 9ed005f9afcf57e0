import { type Pool } from 'pg';
import { query } from './query';

/**
 * Remembers which streams there are, and by the database's clock when each was first seen: what was sent before that is
 * lost with the stream before it. Answers the names of those that are not the ones remembered.
 */
export async function noteStreamBirths(
  pool: Pool,
  births: readonly { readonly name: string; readonly created: string }[],
): Promise<string[]> {
  const rows = await query<{ name: string }>(pool, statement, [
    births.map(({ name }) => name),
    births.map(({ created }) => created),
  ]);
  return rows.map(({ name }) => name);
}

/** For which of its lives a stream was last gone back for; undefined when it never was. */
export async function readRewound(pool: Pool, name: string): Promise<string | undefined> {
  const [row] = await query<{ rewound_for: string | null }>(pool, readStatement, [name]);
  return row?.rewound_for ?? undefined;
}

/** Notes that what was published into the stream before this one is taken back. */
export async function noteRewound(
  pool: Pool,
  { name, created }: { readonly name: string; readonly created: string },
): Promise<void> {
  await query(pool, rewoundStatement, [name, created]);
}

const readStatement = {
  name: 'read-rewound',
  text: 'SELECT rewound_for FROM adk_streams WHERE name = $1',
};

const rewoundStatement = {
  name: 'note-rewound',
  text: 'UPDATE adk_streams SET rewound_for = $2 WHERE name = $1 AND created = $2',
};

const statement = {
  name: 'note-stream-births',
  text: `
  INSERT INTO adk_streams AS known (name, created, seen_at)
  SELECT b.name, b.created, now() FROM unnest($1::text[], $2::text[]) AS b(name, created) ORDER BY b.name
  ON CONFLICT (name) DO UPDATE SET created = excluded.created, seen_at = excluded.seen_at
   WHERE known.created <> excluded.created
  RETURNING name`,
};
