import { badDocument, type ServerDescription } from './document-parts';

/** Which of its servers a document is asked at. */
export interface ServerChoice {
  /** In the place of the document's own servers. */
  readonly serverUrl?: string | undefined;
  /** Values of the variables in a server's URL, instead of their defaults. */
  readonly serverVariables?: Readonly<Record<string, string>> | undefined;
}

/** The URL that paths are put behind. Throws `openapi.document` where the document has none that is whole. */
export function serverUrlOf(
  servers: readonly ServerDescription[] | undefined,
  { serverUrl, serverVariables = {} }: ServerChoice,
  place: string,
): string {
  const [server] = servers ?? [];
  const url = serverUrl ?? filled(server, serverVariables, place);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw badDocument(`${place}: ${url || 'no server'} is no URL of http or https; give serverUrl.`);
  }
  return url.replace(/\/+$/, '');
}

function filled(
  server: ServerDescription | undefined,
  given: Readonly<Record<string, string>>,
  place: string,
): string {
  const { url = '', variables = {} } = server ?? {};
  return url.replaceAll(/\{([^{}]+)\}/g, (_variable, name: string) => {
    const value = Object.hasOwn(given, name) ? given[name] : variables[name]?.default;
    if (value === undefined) throw badDocument(`${place}: the server's variable ${name} has no value.`);
    return value;
  });
}
