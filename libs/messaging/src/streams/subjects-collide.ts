/** Whether one subject could match both filters, with `*` and `>` in either. */
export function subjectsCollide(one: string, other: string): boolean {
  const left = one.split('.');
  const right = other.split('.');
  for (let i = 0; ; i++) {
    const [a, b] = [left[i], right[i]];
    if (a === undefined || b === undefined) return a === b;
    if (a === '>' || b === '>') return true;
    if (a !== b && a !== '*' && b !== '*') return false;
  }
}
