import { readdirSync, readFileSync } from 'node:fs';

/** Every report of a folder, by the name of its file. */
export function readReports(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    names.map((name) => [
      name.replace(/\.json$/, ''),
      JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
    ]),
  );
}

/** A figure by `suite.figure`; none when it is not measured. */
export function figureOf(reports, path) {
  const [suite, ...name] = path.split('.');
  const value = reports.get(suite)?.figures[name.join('.')];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** As the page shows it: as many digits as mean something. */
export function shown(value) {
  if (value === undefined) return 'not measured';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}

/** With the least and the greatest of its rounds, where there were several. */
export function shownWithSpread(reports, path) {
  const [suite, ...name] = path.split('.');
  const [least, greatest] = reports.get(suite)?.spread?.[name.join('.')] ?? [];
  const value = shown(figureOf(reports, path));
  return least === undefined ? value : `${value} (${shown(least)}–${shown(greatest)})`;
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What a report says of itself, or how it would be made. */
export function noteOf(reports, suite) {
  const report = reports.get(suite);
  if (!report) return `Not measured yet: \`npm run bench -- ${suite}\`.`;
  const when = `Measured ${report.startedAt.slice(0, 10)} by \`npm run bench -- ${suite}\`.`;
  return report.note === undefined ? when : `${when} ${report.note}`;
}
