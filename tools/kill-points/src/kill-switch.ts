import { appendFileSync } from 'node:fs';

/**
 * Runs inside an instrumented process: counts how often each point is passed, and sends SIGKILL to the process at the
 * pass it is armed for. Armed over IPC while the process runs, or by KILL_POINT=`<point>*<passes>` for what it passes
 * while it starts. Before the kill it appends one JSON line to the file KILL_POINTS_LOG: the dead cannot report.
 */
export type SwitchCommand =
  | { readonly type: 'kill-points.arm'; readonly point: string; readonly passes: number }
  | { readonly type: 'kill-points.disarm' }
  | { readonly type: 'kill-points.report' };

/** The answer to `report`: passes of every point passed so far, since the start of the process. */
export interface PassReport {
  readonly type: 'kill-points.passes';
  readonly passes: Readonly<Record<string, number>>;
}

/** The last line of a process in KILL_POINTS_LOG: where it was killed, or, when it ended by itself, what it passed. */
export type LastLine =
  | { readonly pid: number; readonly point: string; readonly pass: number; readonly at: number }
  | { readonly pid: number; readonly passes: Readonly<Record<string, number>> };

const names: string[] = [];
const counts: number[] = [];
let armed = -1;
let armedName = '';
let left = 0;

arm(...fromEnvironment(process.env.KILL_POINT ?? ''));
process.on('message', (message: unknown) => obey(message as Partial<SwitchCommand>));
// A process that ends by itself still tells what it passed on its way out.
process.on('exit', () => note({ pid: process.pid, passes: passesSoFar() }));
// Listening must not be what keeps the process alive.
process.channel?.unref();

/** Called once by each instrumented file; answers the two functions its points call. @public */
export function register(
  file: string,
  points: readonly string[],
): { pass: (point: number) => void; passWith: <T>(point: number, value: T) => T } {
  const base = names.length;
  for (const point of points) {
    names.push(`${file}:${point}`);
    counts.push(0);
  }
  arm(armedName, left);
  return {
    pass: (point) => passed(base + point),
    passWith: (point, value) => {
      passed(base + point);
      return value;
    },
  };
}

function passed(point: number): void {
  counts[point] = (counts[point] ?? 0) + 1;
  if (point === armed && --left <= 0) die();
}

function die(): void {
  note({ pid: process.pid, point: armedName, pass: counts[armed] ?? 0, at: Date.now() });
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before the call returns; should a platform not do so, nothing may happen after it.
  for (;;);
}

function note(line: LastLine): void {
  const file = process.env.KILL_POINTS_LOG;
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function arm(point: string, passes: number): void {
  armedName = point;
  armed = names.indexOf(point);
  left = passes;
}

function obey(message: Partial<SwitchCommand>): void {
  switch (message.type) {
    case 'kill-points.arm':
      arm(message.point ?? '', message.passes ?? 1);
      break;
    case 'kill-points.disarm':
      arm('', 0);
      break;
    case 'kill-points.report':
      process.send?.({ type: 'kill-points.passes', passes: passesSoFar() } satisfies PassReport);
      break;
    case undefined:
      break;
  }
}

function passesSoFar(): Record<string, number> {
  return Object.fromEntries(names.flatMap((name, i) => (counts[i] ? [[name, counts[i]]] : [])));
}

function fromEnvironment(value: string): [string, number] {
  const [point = '', passes = '1'] = value.split('*');
  return [point, Number(passes)];
}
