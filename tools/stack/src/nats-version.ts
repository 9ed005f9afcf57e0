/** The version in what `nats-server --version` prints, as "nats-server: v2.14.0". */
export function parseNatsVersion(text: string): string | undefined {
  return /\bv?(\d+\.\d+\.\d+)/.exec(text)?.[1];
}

/** Compares "major.minor.patch" by number, so that 2.10 is newer than 2.9. */
export function isAtLeast(version: string, oldest: string): boolean {
  const wanted = oldest.split('.').map(Number);
  const given = version.split('.').map(Number);
  for (const [index, part] of wanted.entries()) {
    const own = given[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
