import { spawn } from 'node:child_process';

/** What to do with a process whose parent died: ask, wait up to 10 s, then end its whole group. */
const script = `
read -r _
kill -s "$2" "$1" 2>/dev/null || exit 0
n=0
while [ $n -lt 100 ] && kill -0 "$1" 2>/dev/null; do n=$((n + 1)); sleep 0.1; done
kill -s KILL -- "-$1" 2>/dev/null
`;

/**
 * Ends a child when this process dies, even of SIGKILL: a shell of 1 MB reads a pipe that only we hold, and
 * wakes up when the kernel closes it. Neither postgres nor nats-server watch their parent by themselves.
 * Call the returned function once the child is gone, or a later process with its pid could be hit.
 */
export function guardAgainstOrphaning(pid: number, signal: NodeJS.Signals): () => void {
  if (process.platform === 'win32') return () => undefined;
  const guard = spawn('/bin/sh', ['-c', script, 'skein-guard', String(pid), signal.replace('SIG', '')], {
    cwd: '/',
    // A group of its own: Ctrl-C must not end the guard before what it guards.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell there is no guard; the next start then finds the orphan through stack.json.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => guard.kill('SIGKILL');
}
