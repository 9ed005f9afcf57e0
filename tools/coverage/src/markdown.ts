/** Text as code, in the form prettier leaves alone. */
export function code(text: string): string {
  const fence = shortestFence(text);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** A table whose columns are as wide as prettier makes them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[], fill = ' '): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [top = [], ...body] = cells;
  return [line(top), line([], '-'), ...body.map((row) => line(row))].join('\n');
}

function shortestFence(text: string): string {
  const taken = new Set(text.match(/`+/g));
  let fence = '`';
  while (taken.has(fence)) fence += '`';
  return fence;
}
