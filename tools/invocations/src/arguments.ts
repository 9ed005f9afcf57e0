import { parseArgs } from 'node:util';
import { UsageError } from './usage-error';

export const usage = `Usage: skein invocations <command> --app APP --session ID [--user ID] [--url URL] [--json]

  list              the newest invocations of the session
  show <id>         where one stands
  cancel <id>       end it; of one that is over nothing changes

  --user ID   whose session it is (user)
  --url URL   the gateway; without it the stack running on DATA_DIR (.skein) is asked
  --json      the gateway's whole answer
`;

export interface InvocationsArguments {
  readonly method: 'GET' | 'POST';
  /** Below the gateway's URL. */
  readonly path: string;
  readonly url: string | undefined;
  readonly isJson: boolean;
}

/** Undefined when only help was asked for. */
export function parseInvocationsArguments(args: readonly string[]): InvocationsArguments | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [command, id, ...surplus] = positionals;
  const { app, session, user, url, json: isJson } = values;
  if (app === undefined || session === undefined) throw new UsageError('Name the app and the session.');
  if (surplus.length > 0) throw new UsageError(`What is "${surplus.join(' ')}"?`);
  if (url !== undefined && !URL.canParse(url)) throw new UsageError(`--url ${url} is not a URL`);
  const [a, u, s] = [app, user, session].map(encodeURIComponent);
  const all = `/apps/${a}/users/${u}/sessions/${s}/invocations`;
  if (command === 'list' && id === undefined) return { method: 'GET', path: all, url, isJson };
  if (command !== 'show' && command !== 'cancel') throw new UsageError('list, show or cancel?');
  if (id === undefined) throw new UsageError(`Which invocation? ${command} needs its id.`);
  const one = `${all}/${encodeURIComponent(id)}`;
  return command === 'show'
    ? { method: 'GET', path: one, url, isJson }
    : { method: 'POST', path: `${one}/cancel`, url, isJson };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        app: { type: 'string' },
        session: { type: 'string' },
        user: { type: 'string', default: 'user' },
        url: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
