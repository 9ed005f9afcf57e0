import { type SourceCounts } from '@skein/session-sources';
import { type ImportParts, originsOf } from './import-parts';

/** Each row has gone one way, and what the imports noted is what is there. */
export async function checkCounts(parts: ImportParts, there: SourceCounts): Promise<void> {
  const { target, report, apps, as } = parts;
  const stored = await target.count(originsOf(parts), as === undefined ? apps : [as]);
  const rows = [
    ['sessions', there.sessions, stored?.sessions],
    ['events', there.events, stored?.events],
    ['app states', there.appStates, undefined],
    ['user states', there.userStates, undefined],
  ] as const;
  report.table(rows);
  for (const [what, expected] of rows) {
    const { imported, before, leftOut } = report.tally(what);
    const met = imported + before + leftOut;
    if (met !== expected) report.problem(what, `the source has ${expected}, and ${met} were read`);
  }
  if (there.orphanEvents > 0) {
    report.note(`${there.orphanEvents} events belong to no session; ADK does not show them either`);
  }
  if (!stored) return;
  const { imported, before } = report.tally('sessions');
  if (stored.sessions < imported + before) {
    report.problem('sessions', `${imported + before} should be in Skein, and ${stored.sessions} are`);
  } else if (stored.sessions > imported + before) {
    report.note(`${stored.sessions - imported - before} imported sessions are not in the source any more`);
  }
  if (stored.events !== stored.notedEvents) {
    report.problem('events', `${stored.notedEvents} should be in Skein, and ${stored.events} are`);
  }
}
