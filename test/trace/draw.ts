import { type ReceivedSpan } from '../support/otlp-receiver';

/** One bar of the picture, and what is drawn of it. */
interface Row {
  readonly span: ReceivedSpan;
  readonly depth: number;
}

const WIDTH = 1_120;
const NAMES = 400;
const ROW = 20;
const TOP = 84;
const RIGHT = 24;

/** By service; a second process of one has the second tone. Told apart in light and in dark. */
const COLOURS: Readonly<Record<string, readonly string[]>> = {
  'skein-gateway': ['#8b5cf6'],
  'skein-session-svc': ['#0ea5e9'],
  'skein-runner': ['#f59e0b', '#c2410c'],
  'skein-tool-worker': ['#10b981', '#047857'],
};

/** Something that happened to a process, on the clock of the spans. */
export interface Mark {
  readonly atMs: number;
  readonly text: string;
}

/**
 * A trace as a waterfall: a row a span, parents above what they asked for, a bar from its beginning to its end in the
 * colour of its service; dashed lines are links. Plain SVG without script, for light and dark pages.
 */
export function drawTrace(spans: readonly ReceivedSpan[], marks: readonly Mark[] = []): string {
  const startMs = Math.min(...spans.map((span) => span.startMs));
  const endMs = Math.max(...spans.map((span) => span.endMs));
  const rows = rowsOf(spans);
  const height = TOP + rows.length * ROW + 20;
  const xOf = (ms: number): number =>
    round(NAMES + ((ms - startMs) / (endMs - startMs)) * (WIDTH - NAMES - RIGHT));
  const colours = coloursOf(spans);
  const placeOf = new Map(rows.map(({ span }, index) => [span.spanId, TOP + index * ROW]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The trace of one run">`,
    STYLE,
    `<rect class="page" width="${WIDTH}" height="${height}" rx="8"/>`,
    ...legend(colours),
    ...axis((endMs - startMs) / 1_000, height),
    ...marks.map((mark) => markOf(mark, xOf(mark.atMs), height)),
    ...rows.map((row) => bar(row, placeOf.get(row.span.spanId) ?? 0, { xOf, colours })),
    ...rows.flatMap(({ span }) => linksOf(span, placeOf, rows, xOf)),
    '</svg>',
    '',
  ].join('\n');
}

/** What a reader of the whole looks for: without statements, units and the small change between services. */
export function worthDrawing(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const isLeftOut = ({ name, kind }: ReceivedSpan): boolean =>
    /^(append$|rpc\.session\.(append|invocation|claim)|event |pg\.query|result publish|merged|run publish)/.test(
      name,
    ) ||
    (/^(work|answer)$/.test(name) && kind === 'client') ||
    (name === 'rpc.session.submit' && kind === 'client');
  const kept = spans.filter((span) => !isLeftOut(span));
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const ids = new Set(kept.map(({ spanId }) => spanId));
  const parentOf = (span: ReceivedSpan): string => {
    const parent = byId.get(span.parentSpanId);
    return !parent || ids.has(parent.spanId) ? span.parentSpanId : parentOf(parent);
  };
  return kept.map((span) => ({ ...span, parentSpanId: parentOf(span) }));
}

function rowsOf(spans: readonly ReceivedSpan[], parentId = '', depth = 0): Row[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parentId)
    .sort((one, other) => one.startMs - other.startMs || (one.name < other.name ? -1 : 1))
    .flatMap((span) => [{ span, depth }, ...rowsOf(spans, span.spanId, depth + 1)]);
}

/** In the order their processes are named. */
function coloursOf(spans: readonly ReceivedSpan[]): Map<string, string> {
  const processes = Object.entries(COLOURS).flatMap(([service, tones]) => {
    const names = new Set(spans.filter((span) => span.service === service).map(processOf));
    return [...names].sort().map((name, index) => [name, tones[index % tones.length] ?? ''] as const);
  });
  return new Map(processes);
}

/** Without what tells one life of it from the next. */
function processOf({ instance }: ReceivedSpan): string {
  return instance.replace(/-[0-9a-f]{8}$/, '');
}

interface Drawing {
  readonly xOf: (ms: number) => number;
  readonly colours: ReadonlyMap<string, string>;
}

function bar({ span, depth }: Row, y: number, { xOf, colours }: Drawing): string {
  const x = xOf(span.startMs);
  const width = Math.max(2, round(xOf(span.endMs) - x));
  const colour = colours.get(processOf(span)) ?? '#888888';
  const indent = 14 + depth * 13;
  const failed = span.error === undefined ? '' : ' failed';
  return [
    `<text class="name${failed}" x="${indent}" y="${y + 14}">${escaped(span.name)}</text>`,
    `<rect class="bar${failed}" x="${x}" y="${y + 4}" width="${width}" height="12" rx="2" fill="${colour}"><title>${escaped(titleOf(span))}</title></rect>`,
  ].join('');
}

function titleOf(span: ReceivedSpan): string {
  return `${span.name}, ${processOf(span)}, ${round(span.endMs - span.startMs)} ms`;
}

function markOf({ text }: Mark, x: number, height: number): string {
  const line = `<line class="mark" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${height - 14}"/>`;
  return `${line}<text class="label failed tick" x="${x}" y="${TOP - 28}">${escaped(text)}</text>`;
}

function linksOf(
  span: ReceivedSpan,
  placeOf: ReadonlyMap<string, number>,
  rows: readonly Row[],
  xOf: (ms: number) => number,
): string[] {
  const y = (placeOf.get(span.spanId) ?? 0) + 10;
  return span.links.flatMap(({ spanId }) => {
    const linked = rows.find((row) => row.span.spanId === spanId);
    if (!linked) return [];
    const [x, toX] = [xOf(span.startMs), xOf(linked.span.startMs)];
    const toY = (placeOf.get(spanId) ?? 0) + 10;
    const aside = round(Math.min(x, toX) - 8);
    return [`<path class="link" d="M${x} ${y} H${aside} V${toY} H${toX}"/>`];
  });
}

function legend(colours: ReadonlyMap<string, string>): string[] {
  const processes = [...colours].map(([name, colour], index) => {
    const x = 14 + index * 128;
    const label = `<text class="label" x="${x + 18}" y="24">${name}</text>`;
    return `<rect x="${x}" y="14" width="12" height="12" rx="2" fill="${colour}"/>${label}`;
  });
  const x = 14 + processes.length * 128;
  return [
    ...processes,
    `<path class="link" d="M${x} 20 h22"/><text class="label" x="${x + 30}" y="24">link</text>`,
  ];
}

/** A line a second, or a half where there are few. */
function axis(seconds: number, height: number): string[] {
  const step = seconds > 4 ? 1 : 0.5;
  const marks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
  return marks.map((mark) => {
    const x = round(NAMES + (mark / seconds) * (WIDTH - NAMES - RIGHT));
    const line = `<line class="grid" x1="${x}" y1="${TOP - 8}" x2="${x}" y2="${height - 14}"/>`;
    return `${line}<text class="label tick" x="${x}" y="${TOP - 14}">${mark} s</text>`;
  });
}

const STYLE = `<style>
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; }
.page { fill: #ffffff; stroke: #d0d7de; }
.label { font-family: ui-sans-serif, system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #57606a; }
.tick { text-anchor: middle; }
.grid { stroke: #d0d7de; stroke-dasharray: 1 3; }
.link { fill: none; stroke: #57606a; stroke-width: 1.3; stroke-dasharray: 4 3; }
text.failed { fill: #cf222e; }
.mark { stroke: #cf222e; }
rect.failed { stroke: #cf222e; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .page { fill: #0d1117; stroke: #30363d; }
  .label { fill: #9198a1; }
  .grid { stroke: #30363d; }
  .link { stroke: #9198a1; }
  text.failed { fill: #ff7b72; }
  .mark { stroke: #ff7b72; }
  rect.failed { stroke: #ff7b72; }
}
</style>`;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
