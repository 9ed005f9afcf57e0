import { parseArgs } from 'node:util';

export const usage = `Usage: skein import --from <database> [--app NAME [--as NAME]] [--dry-run] [--repair]

Copies sessions, their events, and app and user state of adk-python or adk-js into Skein's database: DATABASE_URL, or that
of the stack running on DATA_DIR (.skein). What is there already is left as it is, so it may be run again, and goes on
where it was ended.

  --from <database>  postgresql://…, sqlite:///… or the path of a SQLite file
  --app NAME         this app's sessions alone
  --as NAME          what that app is called in Skein
  --dry-run          read and check everything, store nothing; needs no database of Skein
  --repair           replace what cannot be stored in texts (NUL, half a surrogate pair) and round numbers that are too long,
                     instead of refusing the session

Exits with 0 when all of it is in Skein, with 1 when something is not, each told of in a line, and with 2 when asked wrongly.
`;

/** A wrong command line: one sentence for whoever typed it. */
export class UsageError extends Error {}

export interface ImportArguments {
  readonly from: string;
  readonly app: string | undefined;
  /** What the app is called here. */
  readonly as: string | undefined;
  readonly isDryRun: boolean;
  readonly repairs: boolean;
}

/** Undefined when only help was asked for. */
export function parseImportArguments(args: readonly string[]): ImportArguments | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const { from, app, as } = values;
  if (positionals.length > 0)
    throw new UsageError('There is a word too many; the source comes behind --from.');
  if (from === undefined || from === '')
    throw new UsageError('Name the database: --from postgresql://… or a file.');
  if (as !== undefined && app === undefined)
    throw new UsageError('--as renames one app: name it with --app.');
  return { from, app, as, isDryRun: values['dry-run'], repairs: values.repair };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        app: { type: 'string' },
        as: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        repair: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
