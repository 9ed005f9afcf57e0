import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { EARLY_LOOKS } from '@skein/platform';
import { nodeArguments, nodeOptions, startEmbeddedNats } from '@skein/stack';

export interface Skeleton {
  /** Of its gateway. */
  readonly url: string;
  /** Of its four processes, and of its NATS server. */
  readonly pids: Readonly<Record<string, number>>;
  readonly stop: () => Promise<void>;
}

const ROLES = ['session-svc', 'runner', 'tool-worker', 'gateway'] as const;

/** Starts the skeleton's four processes, on a NATS server of their own and a database that is theirs alone. */
export async function startSkeleton(databaseUrl: string, dataDir: string): Promise<Skeleton> {
  const nats = await startEmbeddedNats({ dataDir });
  const processes: ChildProcess[] = [];
  const pids: Record<string, number> = { nats: nats.pid };
  let url: string | undefined;
  // One after another: the first makes the streams that the others read.
  for (const role of ROLES) {
    const child = fork(path.join(__dirname, 'turn-skeleton', 'main.js'), [role, nats.url, databaseUrl], {
      execArgv: [...nodeArguments, EARLY_LOOKS],
      env: { ...process.env, NODE_OPTIONS: nodeOptions(role, process.env) },
    });
    processes.push(child);
    if (child.pid !== undefined) pids[role] = child.pid;
    ({ url } = await readyOf(child, role));
  }
  if (!url) throw new Error("the skeleton's gateway did not report its URL");
  return {
    url,
    pids,
    async stop() {
      await Promise.all(processes.map(end));
      await nats.stop();
    },
  };
}

async function readyOf(child: ChildProcess, role: string): Promise<{ url?: string }> {
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the skeleton's ${role} ended with ${code}`);
  });
  died.catch(() => undefined); // It ends in any case, later.
  const [message] = (await Promise.race([once(child, 'message'), died])) as [{ url?: string }]; // main.ts sends it.
  return message;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
