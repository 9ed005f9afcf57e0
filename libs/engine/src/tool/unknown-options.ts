/** Of what was given the names that are none of the known ones, each with the one that was probably meant. */
export function unknownOptions(given: object, known: readonly string[], prefix = ''): string[] {
  const isGiven = (name: string): boolean => Reflect.get(given, name) !== undefined;
  return Object.keys(given)
    .filter((name) => !known.includes(name) && isGiven(name))
    .map((name) => {
      const meant = nearest(name, known);
      const hint = meant === undefined ? '' : `, perhaps "${prefix}${meant}" is meant`;
      return `${prefix}${name}: is no option of a tool${hint}`;
    });
}

/** The one that takes the fewest changes; none where most of it would have to change. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = lettersOf(name);
  const near = known
    .map((one) => ({ one, changes: changesBetween(plain, lettersOf(one)) }))
    .sort((a, b) => a.changes - b.changes)[0];
  return near && near.changes <= plain.length / 2 ? near.one : undefined;
}

/** `time_out_ms` is `timeoutMs`, as others write it. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Letters to put in, take out or change until one is the other (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of Array.from(one).entries()) {
    const line = [row + 1];
    for (const [column, against] of Array.from(other).entries()) {
      const [corner = 0, up = 0, left = 0] = [above[column], above[column + 1], line[column]];
      line.push(Math.min(corner + (letter === against ? 0 : 1), up + 1, left + 1));
    }
    above = line;
  }
  return above[other.length] ?? 0;
}
