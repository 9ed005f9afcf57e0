import { commandLine, parentOf, processStamp } from './process-identity';

const pollMs = 250;

/**
 * Calls back once the npm that runs us is gone. npm hands SIGTERM to the shell between it and us, and most
 * shells die of it without a word to their child: without this the stack would go on with nobody to stop it.
 * Run by anything else than npm we may be left alone on purpose, so nobody is watched.
 */
export function watchNpm(env: NodeJS.ProcessEnv, onGone: () => void): void {
  if (env.npm_command === undefined) return;
  const watched = launchers(process.ppid).map((pid) => ({ pid, stamp: processStamp(pid) }));
  const timer = setInterval(() => {
    if (watched.every(({ pid, stamp }) => processStamp(pid) === stamp)) return;
    clearInterval(timer);
    onGone();
  }, pollMs);
  timer.unref();
}

/** Our parent, and npm behind it where our parent is the shell of the script. */
function launchers(parent: number): readonly number[] {
  const isShell = /^\S*sh -c /.test(commandLine(parent) ?? '');
  const grandparent = isShell ? parentOf(parent) : undefined;
  return grandparent === undefined ? [parent] : [parent, grandparent];
}
