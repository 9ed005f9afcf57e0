import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A text no other process ever has: pids are reused, so a pid alone must never decide whom we stop.
 * Undefined when no such process runs; a zombie counts as gone.
 */
export function processStamp(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxStamp(pid) : psColumn(pid, 'lstart=,command=');
}

/** The command line of a running process, its arguments joined by spaces; undefined when there is none. */
export function commandLine(pid: number): string | undefined {
  if (process.platform !== 'linux') return psColumn(pid, 'command=');
  if (linuxStamp(pid) === undefined) return undefined;
  return readProc(`/proc/${pid}/cmdline`)?.split('\0').join(' ').trim();
}

/** Who started it, or who took it over since; undefined when there is no such process. */
export function parentOf(pid: number): number | undefined {
  const parent = process.platform === 'linux' ? statFields(pid)?.[1] : psColumn(pid, 'ppid=');
  return parent === undefined ? undefined : Number(parent);
}

/** The boot and the tick at which it started: a process may change its title, but not these. */
function linuxStamp(pid: number): string | undefined {
  const fields = statFields(pid);
  if (fields === undefined) return undefined;
  const startTicks = fields[19] ?? '';
  return `${readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${startTicks}`;
}

/** What /proc tells of a living process, from its state on. */
function statFields(pid: number): readonly string[] | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  // The name before the state stands in brackets and may hold anything, so fields are counted behind it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? undefined : fields;
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process ended, perhaps between two reads: absence is the answer.
    return undefined;
  }
}

function psColumn(pid: number, columns: string): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
    return text.trim() || undefined;
  } catch {
    // ps exits with 1 when the process does not exist.
    return undefined;
  }
}
