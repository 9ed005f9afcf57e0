const AROUND = 60;
const SHOWN = 300;

/** Where two texts part, with what stands around it. */
export function difference(found = 'nothing', expected = 'nothing'): string {
  let parted = 0;
  while (parted < found.length && found[parted] === expected[parted]) parted += 1;
  const at = Math.max(0, parted - AROUND);
  return `…${found.slice(at, at + SHOWN)}…\n  instead of …${expected.slice(at, at + SHOWN)}…`;
}
