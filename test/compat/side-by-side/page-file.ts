import path from 'node:path';
import { cases } from './cases';
import { differencesOfForm } from './differences-of-form';
import { differencesPage } from './differences-page';
import { knownDifferences } from './known-differences';

export const PAGE_FILE = path.resolve(__dirname, '../../../docs/reference/differences-from-google-adk.md');

/** The page as it should be. */
export function currentPage(): string {
  return differencesPage({ cases, ofForm: differencesOfForm, known: knownDifferences });
}
