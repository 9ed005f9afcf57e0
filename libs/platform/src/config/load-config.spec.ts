import { z } from 'zod';
import { commonEnv } from './common-env';
import { booleanText, durationMs, integerFrom, listOf, url } from './fields';
import { ConfigError, loadConfig } from './load-config';
import { providerEnvironment } from './provider-environment';

const schema = z.object({
  ...commonEnv,
  CONCURRENCY: integerFrom(1, 16),
  LEASE_MS: durationMs(15_000),
  IS_OPEN: booleanText(false),
  POOLS: listOf('default'),
  DATABASE_URL: url('postgres', 'postgresql'),
});
const database = { DATABASE_URL: 'postgres://u:p@h/d' };

function problemsOf(environment: NodeJS.ProcessEnv): unknown {
  try {
    loadConfig(schema, environment);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

describe('loadConfig', () => {
  it('fills in what is absent, and takes nothing for absent', () => {
    const config = loadConfig(schema, { ...database, CONCURRENCY: '', NATS_URL: '' });

    expect(config).toMatchObject({
      CONCURRENCY: 16,
      LEASE_MS: 15_000,
      IS_OPEN: false,
      POOLS: ['default'],
      NATS_URL: 'nats://127.0.0.1:4222',
      HOST: '127.0.0.1',
      HEALTH_PORT: 0,
      LOG_FORMAT: 'json',
    });
  });

  it('reads what is there', () => {
    const environment = { ...database, CONCURRENCY: '2', IS_OPEN: 'true', POOLS: 'gpu, default,gpu' };

    expect(loadConfig(schema, environment)).toMatchObject({
      CONCURRENCY: 2,
      IS_OPEN: true,
      POOLS: ['gpu', 'default'],
    });
  });

  it('names every wrong variable at once, and shows no value', () => {
    const problems = problemsOf({
      CONCURRENCY: '0',
      LEASE_MS: '10s',
      IS_OPEN: 'yes',
      POOLS: ' , ',
      HEALTH_PORT: '70000',
      LOG_LEVEL: 'hunter2',
    });

    expect(problems).toEqual(
      expect.arrayContaining([
        { name: 'CONCURRENCY', reason: 'must be at least 1' },
        { name: 'LEASE_MS', reason: 'must be a whole number' },
        { name: 'IS_OPEN', reason: 'must be true or false' },
        { name: 'POOLS', reason: 'must name at least one, with commas between several' },
        { name: 'HEALTH_PORT', reason: 'must be a whole number from 0 to 65535' },
        { name: 'LOG_LEVEL', reason: 'must be debug, info, warn or error' },
        { name: 'DATABASE_URL', reason: 'must be set' },
      ]),
    );
    expect(problems).toHaveLength(7);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it.each(['12abc', ' 1', '1.5', '0x10', '1e3'])('does not take %j for a number', (text) => {
    expect(problemsOf({ ...database, CONCURRENCY: text })).toEqual([
      { name: 'CONCURRENCY', reason: 'must be a whole number' },
    ]);
  });

  it.each(['abc', '-1', '65536'])('says of the port %j which ones there are', (text) => {
    expect(problemsOf({ ...database, HEALTH_PORT: text })).toEqual([
      { name: 'HEALTH_PORT', reason: 'must be a whole number from 0 to 65535' },
    ]);
  });

  it.each(['mysql://h/d', 'h', ''])('does not take %j for a database', (text) => {
    expect(problemsOf({ DATABASE_URL: text })).toHaveLength(1);
  });
});

describe('providerEnvironment', () => {
  it('hands out keys and base URLs of providers, and nothing else', () => {
    const environment = {
      OPENAI_API_KEY: 'k',
      GEMINI_API_KEY: '',
      OPENAI_BASE_URL: 'http://proxy',
      SCRIPTED_LLM_LOG: '/tmp/log',
      DATABASE_URL: 'postgres://h',
    };

    expect(providerEnvironment(environment)).toEqual({
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: 'http://proxy',
      SCRIPTED_LLM_LOG: '/tmp/log',
    });
  });
});
