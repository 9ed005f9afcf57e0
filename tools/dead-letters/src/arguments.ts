import { parseArgs } from 'node:util';
import { deadLetterStatusSchema } from '@skein/contracts';
import { UsageError } from '../../invocations/src/usage-error';

/** What the gateway gives on one page at most. */
const MAX_LIMIT = 200;

export const usage = `Usage: skein dead-letters <command> --app APP [--url URL] [--json]

  list                calls of the app that came to nothing, those that died last first
  show <id>           one of them, with what it was given and why it ended
  redrive <id>        send it once more; its result is kept with it
  discard <id>        set it aside

  --status S  list only what is open, redriven or discarded
  --limit N   so many on a page, 1 to 200 (50)
  --before N  go on behind a page, with what it said
  --force     redrive also a call that may run once, though it may have taken effect
  --url URL   the gateway; without it the stack running on DATA_DIR (.skein) is asked
  --json      the gateway's whole answer
`;

export interface DeadLettersArguments {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the gateway's URL. */
  readonly path: string;
  readonly url: string | undefined;
  readonly isJson: boolean;
}

/** Undefined when only help was asked for. */
export function parseDeadLettersArguments(args: readonly string[]): DeadLettersArguments | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [command, id, ...surplus] = positionals;
  const { app, url, json: isJson, status, limit, before, force } = values;
  if (app === undefined) throw new UsageError('Name the app.');
  if (surplus.length > 0) throw new UsageError(`What is "${surplus.join(' ')}"?`);
  if (url !== undefined && !URL.canParse(url)) throw new UsageError(`--url ${url} is not a URL`);
  const all = `/apps/${encodeURIComponent(app)}/dead-letters`;
  if (command === 'list' && id === undefined)
    return { method: 'GET', path: `${all}${queryOf({ status, limit, before })}`, url, isJson };
  if (command !== 'show' && command !== 'redrive' && command !== 'discard')
    throw new UsageError('list, show, redrive or discard?');
  if (id === undefined) throw new UsageError(`Which call? ${command} needs its id.`);
  const one = `${all}/${encodeURIComponent(id)}`;
  if (command === 'redrive')
    return { method: 'POST', path: `${one}/redrive${force ? '?force=true' : ''}`, url, isJson };
  return { method: command === 'show' ? 'GET' : 'DELETE', path: one, url, isJson };
}

function queryOf(asked: Readonly<Record<'status' | 'limit' | 'before', string | undefined>>): string {
  const { status, limit } = asked;
  if (status !== undefined && !deadLetterStatusSchema.safeParse(status).success)
    throw new UsageError(`--status ${status} is not open, redriven or discarded`);
  if (limit !== undefined && !isPageSize(limit))
    throw new UsageError(`--limit ${limit} is not a whole number from 1 to ${MAX_LIMIT}`);
  const given = Object.entries(asked).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(given).toString();
  return query === '' ? '' : `?${query}`;
}

function isPageSize(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        app: { type: 'string' },
        status: { type: 'string' },
        limit: { type: 'string' },
        before: { type: 'string' },
        force: { type: 'boolean', default: false },
        url: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
