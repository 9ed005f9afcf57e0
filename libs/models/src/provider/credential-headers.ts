const CREDENTIAL = /authorization|api-?key|token|secret|cookie|password/i;

/** What headers that an author set tell of who asks: keys in other places than the one for them. In the order of their names. */
export function credentialHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.keys(headers).filter((name) => CREDENTIAL.test(name));
  return names.sort().flatMap((name) => headers[name] ?? []);
}
