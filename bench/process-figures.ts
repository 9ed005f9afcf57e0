import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Memory in RAM, of one process. Reads /proc. */
export function residentKibibytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Memory in RAM of a process and all it began, which share most of it: what they share is counted once. Reads /proc. */
export function sharedKibibytes(pid: number): number {
  return familyOf(pid).reduce((sum, { pid: one }) => sum + proportionalKibibytes(one), 0);
}

/** Processor time that a process and all it began have used, as far as they still run. Reads /proc. */
export function processorMs(pid: number): number {
  const ticks = familyOf(pid).reduce((sum, { ticks: used }) => sum + used, 0);
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

function proportionalKibibytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
  } catch {
    return 0; // It has ended meanwhile.
  }
}

interface Member {
  readonly pid: number;
  readonly ticks: number;
}

/** The process, and all it began that still run. */
function familyOf(pid: number): Member[] {
  const parents = new Map<number, number>();
  const members: Member[] = [];
  for (const entry of readdirSync('/proc')) {
    const fields = /^\d+$/.test(entry) ? statOf(entry) : undefined;
    if (!fields) continue;
    parents.set(Number(entry), Number(fields[1]));
    members.push({ pid: Number(entry), ticks: Number(fields[11]) + Number(fields[12]) });
  }
  const isOfIt = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || isOfIt(parents.get(one)));
  return members.filter((member) => isOfIt(member.pid));
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
