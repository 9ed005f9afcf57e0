import { appNameSchema, userIdSchema } from '@skein/contracts';
import { parseSourceObject, type SourceState } from '@skein/session-sources';
import { type ImportParts, nameHere } from './import-parts';
import { assertValid, orTell, quoted } from './row-problem';
import { orBeginning } from './source-time';

/** Adds what an app's sessions share, or those of one user. */
export async function importState(parts: ImportParts, row: SourceState): Promise<void> {
  const { report, target, source } = parts;
  const what = row.userId === undefined ? 'app states' : 'user states';
  const where = `${what.replace(/s$/, '')} ${quoted([row.appName, row.userId])}`;
  const appName = nameHere(parts, row.appName);
  await orTell(report, { where, leaveOut: () => report.count(what, 'leftOut') }, async () => {
    assertValid(appNameSchema, appName);
    if (row.userId !== undefined) assertValid(userIdSchema, row.userId);
    const state = parseSourceObject(row.state ?? '{}', parts);
    const updatedSeconds = orBeginning(row.updatedSeconds, () =>
      report.note(`${where}: its update_time is no time from 1970 to 9999; 1970 stands for it`),
    );
    await source.assertUnchanged();
    const kept = await target.storeState({ appName, userId: row.userId, state, updatedSeconds });
    report.count(what, 'imported');
    if (kept.length > 0) report.note(`${where}: Skein keeps its own value of ${kept.join(', ')}`);
  });
}
