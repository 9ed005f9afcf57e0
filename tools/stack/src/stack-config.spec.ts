import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError } from '@skein/platform';
import { readStackConfig } from './stack-config';

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
    const config = readStackConfig([], { ...agents, PORT: '', HOST: '', DATABASE_URL: '', NATS_URL: '' });

    expect(config).toMatchObject({ port: undefined, host: '127.0.0.1', databaseUrl: undefined });
  });

  it('lists everything that is wrong at once, its own and what each app would refuse', () => {
    const env = {
      ...agents,
      PORT: 'abc',
      HOST: '0.0.0.0',
      RUNNERS: '0',
      TOOL_WORKERS: '65',
      DATABASE_URL: 'mysql://x',
      NATS_URL: 'http://x',
      BODY_LIMIT_BYTES: '8 MiB',
      RUNNER_CONCURRENCY: '1.5',
      SWEEP_MS: '0',
      TOOL_CONCURRENCY: 'many',
      LEASE_MS: 'long',
      LOG_LEVEL: 'loud',
      HEALTH_PORT: '65536',
    };

    const problems = problemsOf(['--frehs'], env);

    expect(problems).toEqual({
      arguments: expect.stringContaining("Unknown option '--frehs'"),
      PORT: 'must be a whole number from 0 to 65535',
      HOST: expect.stringContaining('ALLOW_UNAUTHENTICATED=true'),
      RUNNERS: 'must be a whole number from 1 to 64',
      TOOL_WORKERS: 'must be a whole number from 1 to 64',
      DATABASE_URL: 'must be a URL that begins with postgres:// or postgresql://',
      NATS_URL: 'must be a nats:// URL, or several with commas between them',
      BODY_LIMIT_BYTES: 'must be a whole number from 1024 to 9007199254740991',
      RUNNER_CONCURRENCY: 'must be a whole number from 1 to 9007199254740991',
      SWEEP_MS: 'must be a whole number from 1 to 2147483647',
      TOOL_CONCURRENCY: 'must be a whole number from 1 to 9007199254740991',
      LEASE_MS: 'must be a whole number from 1 to 2147483647',
      LOG_LEVEL: 'must be debug, info, warn or error',
      HEALTH_PORT: 'must be a whole number from 0 to 65535',
    });
  });

  it('takes a wide address once it is said that it is meant', () => {
    const env = { ...agents, HOST: '0.0.0.0', ALLOW_UNAUTHENTICATED: 'true' };

    expect(readStackConfig([], env).host).toBe('0.0.0.0');
  });

  it('does not judge a secret from outside, which no app is told', () => {
    expect(problemsOf([], { ...agents, SKEIN_SECRET: 'short' })).toEqual({});
  });

  it('names an agents folder that does not exist', () => {
    expect(problemsOf([], { AGENTS_DIR: '/nowhere/agents' })).toEqual({
      AGENTS_DIR: 'there is no folder /nowhere/agents',
    });
  });

  it('names a file where a folder is needed, also on the way to it', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'skein-config-test-'));
    const file = path.join(folder, 'file');
    writeFileSync(file, '');

    const problems = [file, path.join(file, 'deeper')].map((DATA_DIR) =>
      problemsOf([], { AGENTS_DIR: file, DATA_DIR }),
    );

    rmSync(folder, { recursive: true });
    expect(problems).toEqual([
      { AGENTS_DIR: `${file} is not a folder`, DATA_DIR: `${file} is not a folder` },
      { AGENTS_DIR: `${file} is not a folder`, DATA_DIR: `${file} is not a folder` },
    ]);
  });

  it('understands --fresh', () => {
    expect(readStackConfig(['--fresh'], agents).isFresh).toBe(true);
  });
});

/** By variable, each of which must be named once. */
function problemsOf(args: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  try {
    readStackConfig(args, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const byName = Object.fromEntries(error.problems.map(({ name, reason }) => [name, reason]));
    expect(error.problems).toHaveLength(Object.keys(byName).length);
    return byName;
  }
  return {};
}
