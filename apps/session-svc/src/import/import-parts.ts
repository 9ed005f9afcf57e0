import { type SessionSource } from '@skein/session-sources';
import { type ImportReport } from './import-report';
import { type ImportTarget } from './import-target';

/** What every step of an import is given. */
export interface ImportParts {
  readonly source: SessionSource;
  readonly target: ImportTarget;
  readonly report: ImportReport;
  /** The one app that is imported, and what it is called here. */
  readonly app: string | undefined;
  readonly as: string | undefined;
  readonly repairs: boolean;
}

/** What an app of the source is called in Skein. */
export function nameHere({ app, as }: Pick<ImportParts, 'app' | 'as'>, appName: string): string {
  return as !== undefined && appName === app ? as : appName;
}
