import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readStackConfig, startStack } from '@skein/stack';
import { serverVersions } from './versions';

export interface BenchStack {
  readonly url: string;
  readonly postgresVersion: string;
  readonly natsVersion: string;
}

/** Runs work against a stack of its own: every app a process, fsync on, in a folder that is gone afterwards. */
export async function withStack<T>(work: (stack: BenchStack) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'skein-bench-'));
  const agentsDir = path.join(process.cwd(), 'bench', 'agents');
  const config = readStackConfig([], {
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDir,
    AGENTS_DIR: agentsDir,
    LOG_LEVEL: 'warn',
  });
  const stack = await startStack({ config, output: process.stderr, signal: new AbortController().signal });
  try {
    const url = stack.urlOf('gateway');
    if (!url) throw new Error('the gateway did not report its URL');
    return await work({ url, ...(await serverVersions(dataDir)) });
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
