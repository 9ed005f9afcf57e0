export type Labels = Readonly<Record<string, string | number>>;

/** `{tool="a",pool="b"}`; nothing for no labels. */
export function labelText(labels: Labels): string {
  // Without lists between: this is the key of every figure of every message.
  let pairs = '';
  for (const name in labels) pairs += `${pairs && ','}${name}="${escaped(String(labels[name]))}"`;
  return pairs && `{${pairs}}`;
}

function escaped(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
