import { badSetting } from '../registry/bad-setting';

/** A header that counts tokens of text tells of nobody. */
const CREDENTIAL = /authorization|api-?key|token(?!s|-?(?:limit|count|budget))|secret|cookie|password/i;

/**
 * What headers that an author set tell of who asks: keys in other places than the one for them. Each value, and what follows
 * a scheme as "Bearer" in it, in the order of their names.
 */
export function credentialHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.keys(headers).filter((name) => CREDENTIAL.test(name));
  return names.sort().flatMap((name) => {
    const value = headers[name] ?? '';
    return [value, /^\S+\s+(\S+)$/.exec(value)?.[1] ?? ''].filter((secret) => secret);
  });
}

/** Throws `model.bad-setting` for a header that cannot be sent, without its value: it may be a key. */
export function checkHeaders(model: string, headers: unknown = {}): void {
  const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : undefined;
  if (!entries) throw badSetting(model, 'headers', 'an object of texts');
  for (const [name, value] of entries) {
    if (!isSendable(name, value)) throw badSetting(model, `headers.${name}`, 'a text that a header takes');
  }
}

function isSendable(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return Boolean(new Headers([[name, value]]));
  } catch {
    // It says what is wrong by repeating it.
    return false;
  }
}
