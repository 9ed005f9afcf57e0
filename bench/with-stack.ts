import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readStackConfig, type StackProcess, startStack } from '@skein/stack';
import { type Figures, type Measured, type Scenario } from './report';
import { readAddresses, serverVersions } from './server-versions';

/** A scenario on a stack of its own: every app a process, fsync on, in a folder that is gone afterwards. */
export function onStack(measure: (url: string) => Promise<Figures>): Scenario {
  return () => measureOnStack({}, ({ url }) => measure(url));
}

export interface BenchStack {
  /** The gateway's. */
  readonly url: string;
  /** The S3 server that artifacts go to; none when they lie on the disk. */
  readonly s3Endpoint: string | undefined;
  readonly pidOf: (app: string) => number;
  /** Those that run, servers first. */
  readonly processes: () => readonly StackProcess[];
  /** With every right, also to make databases beside Skein's. */
  readonly databaseUrl: string;
  /** Gone once the bench has measured. */
  readonly dataDir: string;
}

/** @param env over the environment of the bench; `undefined` takes a variable away. */
export async function measureOnStack(
  env: NodeJS.ProcessEnv,
  measure: (stack: BenchStack) => Promise<Figures>,
): Promise<Measured> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'skein-bench-'));
  const config = readStackConfig([], {
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDir,
    AGENTS_DIR: path.join(process.cwd(), 'bench', 'agents'),
    LOG_LEVEL: 'warn',
    ...env,
  });
  const stack = await startStack({ config, output: process.stderr, signal: new AbortController().signal });
  try {
    const url = stack.urlOf('gateway');
    if (!url) throw new Error('the gateway did not report its URL');
    const { S3_ENDPOINT: s3Endpoint } = config.inherited;
    const pidOf = (app: string): number => {
      const found = stack.processes().find((one) => one.app === app);
      if (!found) throw new Error(`the stack has no ${app}`);
      return found.pid;
    };
    const { databaseUrl } = readAddresses(dataDir);
    const processes = (): readonly StackProcess[] => stack.processes();
    const bench = { url, s3Endpoint, pidOf, processes, databaseUrl, dataDir };
    return { ...(await serverVersions(dataDir)), figures: await measure(bench) };
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
