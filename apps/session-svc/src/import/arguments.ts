import { parseArgs } from 'node:util';
import { appNameSchema } from '@skein/contracts';

export const usage = `Usage: skein import --from <database> [--app NAME]… [--as NAME] [--dry-run] [--repair]

Copies sessions, their events, and app and user state of adk-python or adk-js into Skein's database: DATABASE_URL, or that
of the stack running on DATA_DIR (.skein). What is there already is left as it is, so it may be run again, and goes on
where it was ended.

  --from <database>  postgresql://…, sqlite:///… or the path of a SQLite file. IMPORT_FROM, or a file that IMPORT_FROM_FILE
                     names, may hold it instead: a command line is seen by others, and so is the password in it
  --app NAME         this app's sessions alone; may be given several times
  --as NAME          what that one app is called in Skein
  --dry-run          read and check everything, store nothing; needs no database of Skein
  --repair           replace what cannot be stored in texts (NUL, half a surrogate pair) and round numbers that are too long,
                     instead of refusing the session

Exits with 0 when all of it is in Skein, with 1 when something is not, each told of in a line, and with 2 when asked wrongly.
`;

/** A wrong command line: one sentence for whoever typed it. */
export class UsageError extends Error {}

export interface ImportArguments {
  readonly from: string;
  /** All of them without it. */
  readonly apps: readonly string[] | undefined;
  /** What the app is called here. */
  readonly as: string | undefined;
  readonly isDryRun: boolean;
  readonly repairs: boolean;
}

/** Undefined when only help was asked for. `fromEnvironment` names the source where the command line does not. */
export function parseImportArguments(
  args: readonly string[],
  fromEnvironment?: string,
): ImportArguments | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  if (positionals.length > 0) {
    throw new UsageError('There is a word too many; the source comes behind --from.');
  }
  const apps = values.app === undefined ? undefined : [...new Set(values.app)];
  if (apps?.includes('') === true) throw new UsageError('--app is empty.');
  return {
    from: sourceIn(values.from, fromEnvironment),
    apps,
    as: newNameIn(values.as, apps),
    isDryRun: values['dry-run'],
    repairs: values.repair,
  };
}

function sourceIn([from, ...more]: readonly string[] = [], fromEnvironment: string | undefined): string {
  if (more.length > 0) throw new UsageError('--from is given twice: import one database after the other.');
  if (from !== undefined && fromEnvironment !== undefined) {
    throw new UsageError('--from and IMPORT_FROM both name a source: leave one out.');
  }
  const named = from ?? fromEnvironment ?? '';
  if (named === '') {
    throw new UsageError('Name the database: --from postgresql://… or a file, or IMPORT_FROM.');
  }
  return named;
}

function newNameIn(
  [as, ...more]: readonly string[] = [],
  apps: readonly string[] | undefined,
): string | undefined {
  if (as === undefined) return undefined;
  if (apps?.length !== 1 || more.length > 0) {
    throw new UsageError('--as renames one app: name that one with --app.');
  }
  const parsed = appNameSchema.safeParse(as);
  if (!parsed.success) throw new UsageError(`--as ${as}: ${parsed.error.issues[0]?.message ?? ''}.`);
  return as;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        from: { type: 'string', multiple: true },
        app: { type: 'string', multiple: true },
        as: { type: 'string', multiple: true },
        'dry-run': { type: 'boolean', default: false },
        repair: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
