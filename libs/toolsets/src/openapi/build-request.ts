import { type ApiParameter } from './api-parameter';
import { badArgument, writePath, writeQuery, writeSimple } from './write-parameter';

/** Where an operation is found. */
export interface OperationEndpoint {
  readonly baseUrl: string;
  readonly path: string;
  readonly method: string;
}

/** A request as the arguments make it; credentials and body come after. */
export interface BuiltRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly cookies: readonly string[];
  /** The body where it is one value, and its properties where each is an argument. */
  readonly body: unknown;
  readonly bodyFields: Readonly<Record<string, unknown>>;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Puts each argument in its place. What the model leaves out or gives as null is left out. Throws `openapi.argument`. */
export function buildRequest(
  endpoint: OperationEndpoint,
  parameters: readonly ApiParameter[],
  args: Arguments,
): BuiltRequest {
  const given = parameters.flatMap((parameter) => {
    const value = Object.hasOwn(args, parameter.name) ? args[parameter.name] : undefined;
    return value === undefined || (value === null && parameter.paramLocation !== 'body')
      ? []
      : [{ parameter, value }];
  });
  const at = (location: string) => given.filter(({ parameter }) => parameter.paramLocation === location);
  const headers = new Headers();
  for (const { parameter, value } of at('header'))
    setHeader(headers, parameter, writeSimple(parameter, value));
  const inBody = at('body');
  const whole = inBody.find(({ parameter }) => isWholeBody(parameter));
  return {
    url: urlOf(endpoint, at('path'), at('query')),
    headers,
    cookies: at('cookie').map(
      ({ parameter, value }) =>
        `${encodeURIComponent(parameter.originalName)}=${encodeURIComponent(writeSimple(parameter, value))}`,
    ),
    body: whole?.value,
    bodyFields: Object.fromEntries(
      inBody
        .filter(({ parameter }) => !isWholeBody(parameter))
        .map(({ parameter, value }) => [parameter.originalName, value]),
    ),
  };
}

interface Given {
  readonly parameter: ApiParameter;
  readonly value: unknown;
}

/** The name is @google/adk's way of telling; a property called `body` has an argument of that name too. */
export function isWholeBody({ originalName, name, paramLocation }: ApiParameter): boolean {
  return paramLocation === 'body' && name === 'body' && ['body', 'array', ''].includes(originalName);
}

function urlOf(
  { baseUrl, path }: OperationEndpoint,
  inPath: readonly Given[],
  inQuery: readonly Given[],
): URL {
  const written = new Map(
    inPath.map(({ parameter, value }) => [parameter.originalName, writePath(parameter, value)]),
  );
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_placeholder, name: string) => {
    const value = written.get(name);
    if (value === undefined) throw badArgument({ name }, 'the path needs it');
    return value;
  });
  const url = new URL(`${baseUrl.replace(/\/$/, '')}${filled}`);
  const pairs = inQuery.flatMap(({ parameter, value }) => writeQuery(parameter, value));
  const query = [url.search.slice(1), ...pairs.map(([name, value]) => `${name}=${value}`)].filter(Boolean);
  url.search = query.join('&');
  return url;
}

function setHeader(headers: Headers, parameter: ApiParameter, value: string): void {
  try {
    headers.set(parameter.originalName, value);
  } catch {
    throw badArgument(parameter, 'no header takes it');
  }
}
