import { checkCounts } from './check-counts';
import { importSession } from './import-session';
import { type ImportParts } from './import-parts';
import { importState } from './import-state';

/**
 * Copies a source. Each session is a transaction of its own and noted with it, so whatever is cut is done again by the next
 * run and nothing twice. A row that cannot be stored costs its session and no other.
 */
export async function runImport(parts: ImportParts): Promise<void> {
  try {
    const there = await parts.source.count();
    parts.report.begin(there);
    for await (const state of parts.source.states()) await importState(parts, state);
    for await (const session of parts.source.sessions()) await importSession(parts, session);
    await parts.source.assertUnchanged();
    await checkCounts(parts, there);
  } catch (error) {
    if (parts.target.isKept) parts.report.end();
    throw error;
  }
}
