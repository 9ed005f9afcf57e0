import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Logger, silentLogger } from '@skein/platform';
import type * as Isolation from '../../apps/tool-worker/src/isolation/process-pool';
import { until } from './messaging-setup';

/** As it is built: it starts programs that lie beside it. */
const BUILT = path.resolve(__dirname, '../../dist/apps/tool-worker/src/isolation/process-pool.js');

describe('processes for tools that end before they had a call', () => {
  let agentsDir: string;

  beforeEach(async () => {
    agentsDir = await mkdtemp(path.join(tmpdir(), 'unused-'));
  });

  afterEach(() => rm(agentsDir, { recursive: true, force: true }));

  it('are replaced ever more slowly, and the log says so', async () => {
    const { ProcessPool } = (await import(BUILT)) as typeof Isolation;
    const warned: unknown[] = [];
    const logger: Logger = Object.create(silentLogger, {
      warn: { value: (fields: unknown) => warned.push(fields) },
    });
    // Less than it takes to do nothing.
    const limits = { resultLimitBytes: 1e6, memoryLimitBytes: 1 };
    const settings = { agentsDir, adkCompat: false, environment: {}, ...limits };
    const pool = new ProcessPool({ settings, size: 2, logger });
    try {
      await until('the second wait', () => warned.length === 2, 60_000);
    } finally {
      await pool.close();
    }

    expect(warned).toEqual([
      { waitMs: 1_000, memoryLimitBytes: 1 },
      { waitMs: 2_000, memoryLimitBytes: 1 },
    ]);
  }, 90_000);
});
