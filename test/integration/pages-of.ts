import { type StorePool } from '@skein/session-store';

type Explained = readonly { readonly 'QUERY PLAN': readonly { readonly Plan: Record<string, number> }[] }[];

/**
 * Runs what one statement of the store does, and tells how many pages of tables and indexes it went through, functions that it
 * calls included. The statement answers its caller no rows.
 */
export async function pagesOf(
  pool: StorePool,
  run: (explaining: StorePool) => Promise<unknown>,
): Promise<number> {
  let pages = 0;
  const explaining = {
    query: async ({ text, values }: { readonly text: string; readonly values: unknown[] }) => {
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
      const [plan] = (rows as Explained)[0]?.['QUERY PLAN'] ?? [];
      pages += (plan?.Plan['Shared Hit Blocks'] ?? 0) + (plan?.Plan['Shared Read Blocks'] ?? 0);
      return { rows: [] };
    },
  };
  await run(explaining as unknown as StorePool);
  return pages;
}
