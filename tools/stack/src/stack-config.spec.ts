import os from 'node:os';
import path from 'node:path';
import { ConfigError, readStackConfig } from './stack-config';

const agents = { AGENTS_DIR: os.tmpdir() };

describe('readStackConfig', () => {
  it('needs nothing but an agents folder', () => {
    const config = readStackConfig([], agents);

    expect(config).toMatchObject({
      port: undefined,
      host: '127.0.0.1',
      runners: 2,
      toolWorkers: 2,
      isFresh: false,
    });
    expect(config.dataDir).toBe(path.resolve('.skein'));
  });

  it('takes an empty variable for an absent one', () => {
    const config = readStackConfig([], { ...agents, PORT: '', DATABASE_URL: '' });

    expect(config).toMatchObject({ port: undefined, databaseUrl: undefined });
  });

  it('lists everything that is wrong at once', () => {
    const env = { PORT: 'eighty', RUNNERS: '0', DATABASE_URL: 'mysql://x', NATS_URL: 'http://x' };

    const read = () => readStackConfig(['--frehs'], env);

    expect(read).toThrow(ConfigError);
    expect(problemsOf(read).map((problem) => problem.split(':')[0])).toEqual([
      expect.stringContaining('--frehs'),
      'PORT',
      'DATABASE_URL',
      'NATS_URL',
      'RUNNERS',
    ]);
  });

  it('names an agents folder that does not exist', () => {
    const read = () => readStackConfig([], { AGENTS_DIR: '/nowhere/agents' });

    expect(problemsOf(read)).toEqual(['AGENTS_DIR: there is no folder /nowhere/agents']);
  });

  it('understands --fresh', () => {
    expect(readStackConfig(['--fresh'], agents).isFresh).toBe(true);
  });
});

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
  }
  return [];
}
