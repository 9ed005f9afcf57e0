import { isSecretField, REDACTED, withoutPassword } from '../logging/redact';

/** A query may be a key or a signature, and nothing of a URL tells which: none is shown. */
const QUERY = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>\\]+)\?[^\s"'<>\\]*/gi;
const CREDENTIALS = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
/** Shorter ones would be found in words that are none. */
const LEAST_LENGTH = 8;

/** Takes out of a text what no span may hold: passwords and queries of URLs, credentials, this process's own secrets. */
export type Conceal = (text: string) => string;

/** Secrets are the values of variables whose names say so, and the passwords in those that are URLs. */
export function concealFor(environment: Readonly<Record<string, string | undefined>>): Conceal {
  const secrets = Object.entries(environment).flatMap(([name, value]) => secretsIn(name, value ?? ''));
  const longestFirst = [...new Set(secrets)].sort((one, other) => other.length - one.length);
  const own = longestFirst.length > 0 ? new RegExp(longestFirst.map(escaped).join('|'), 'g') : undefined;
  return (text) => {
    const shown = withoutPassword(text).replace(QUERY, '$1?***').replace(CREDENTIALS, `$1 ${REDACTED}`);
    return own ? shown.replace(own, REDACTED) : shown;
  };
}

function secretsIn(name: string, value: string): string[] {
  const found = isSecretField(name) ? [value] : passwordsOf(value);
  return found.filter((secret) => secret.length >= LEAST_LENGTH);
}

function passwordsOf(value: string): string[] {
  return value.split(',').flatMap((part) => {
    const password = /:\/\/[^\s/:@]*:([^\s/@]+)@/.exec(part)?.[1];
    return password === undefined ? [] : [password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
