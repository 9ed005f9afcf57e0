import { parseArgs } from 'node:util';

export const usage = `Usage: npm run chat -- <app> [--session ID] [--url URL] [--user ID]

  --session ID   go on with this session, instead of a new one
  --url URL      the gateway; without it the stack running on DATA_DIR (.skein) is asked
  --user ID      who is talking (user)

What agents ask (an approval, a choice, a credential, another answer) is asked here as it comes. An empty line leaves a
question open, and it is asked again with --session; anything that is no answer to it is said to the agent.
`;

export interface ChatArguments {
  readonly app: string;
  readonly session: string | undefined;
  readonly url: string | undefined;
  readonly user: string;
}

/** A wrong command line: the usage belongs under the message. */
export class UsageError extends Error {}

/** Undefined when only help was asked for. */
export function parseChatArguments(args: readonly string[]): ChatArguments | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [app, ...surplus] = positionals;
  if (app === undefined) throw new UsageError('Which app? Name one.');
  if (surplus.length > 0) throw new UsageError(`One app at a time; what is "${surplus.join(' ')}"?`);
  if (values.url !== undefined && !URL.canParse(values.url))
    throw new UsageError(`--url ${values.url} is not a URL`);
  return { app, session: values.session, url: values.url, user: values.user };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        session: { type: 'string' },
        url: { type: 'string' },
        user: { type: 'string', default: 'user' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
