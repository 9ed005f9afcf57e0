import { type SessionSource } from '@skein/session-sources';
import { type ImportReport } from './import-report';
import { type ImportTarget } from './import-target';

/** What every step of an import is given. */
export interface ImportParts {
  readonly source: SessionSource;
  readonly target: ImportTarget;
  readonly report: ImportReport;
  /** The apps that are imported, all of them without it, and what the one of them is called here. */
  readonly apps: readonly string[] | undefined;
  readonly as: string | undefined;
  readonly repairs: boolean;
}

/** What an app of the source is called in Skein. */
export function nameHere({ apps, as }: ImportParts, appName: string): string {
  return as !== undefined && apps?.includes(appName) === true ? as : appName;
}

/**
 * Where Skein notes that a session is from. Under another name an app is told from one of that name in the same source:
 * their sessions may have the same ids.
 */
export function originOf({ source, apps: [app] = [], as }: ImportParts): string {
  return as === undefined || as === app ? source.name : `${source.name} (app ${app ?? ''})`;
}

/** What a session from there may have been noted with: earlier imports wrote a port 5432 as it was given. */
export function originsOf(parts: ImportParts): readonly string[] {
  const origin = originOf(parts);
  return [origin, origin.replace(/^(postgresql:\/\/(?:\[[^\]]*\]|[^/:[ ]+))(?=[/ ]|$)/, '$1:5432')];
}
