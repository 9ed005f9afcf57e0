import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Memory in RAM, of one process. Reads /proc. */
export function residentKibibytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Processor time that a process and all it began have used, as far as they still run. Reads /proc. */
export function processorMs(pid: number): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    const fields = /^\d+$/.test(entry) ? statOf(entry) : undefined;
    if (!fields) continue;
    parents.set(Number(entry), Number(fields[1]));
    ticks.set(Number(entry), Number(fields[11]) + Number(fields[12]));
  }
  const isOfIt = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || isOfIt(parents.get(one)));
  const sum = [...ticks].reduce((total, [one, used]) => total + (isOfIt(one) ? used : 0), 0);
  return (sum * 1_000) / TICKS_PER_SECOND;
}

/** The fields after the name, which may hold anything; none of a process that has ended meanwhile. */
function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // It was there a moment ago.
  }
}
