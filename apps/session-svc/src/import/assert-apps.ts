import { type SessionSource, SourceError } from '@skein/session-sources';

const MAX_NAMED = 50;

/** Throws when an app is asked for that the source has nothing of, and names those it has. */
export async function assertApps(source: SessionSource, apps: readonly string[] = []): Promise<void> {
  if (apps.length === 0) return;
  const there = await source.appNames();
  const missing = apps.filter((app) => !there.includes(app));
  if (missing.length === 0) return;
  const named = there.slice(0, MAX_NAMED).map((app) => JSON.stringify(app));
  const more = there.length > MAX_NAMED ? ` and ${there.length - MAX_NAMED} more` : '';
  throw new SourceError(
    `There is no app ${missing.map((app) => JSON.stringify(app)).join(', ')} in ${source.name}; ` +
      (there.length === 0 ? 'it has none.' : `it has ${named.join(', ')}${more}.`),
  );
}
