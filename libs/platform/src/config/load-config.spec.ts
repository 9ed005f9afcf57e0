import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
        { name: 'CONCURRENCY', reason: 'must be a whole number from 1 to 9007199254740991' },
        { name: 'LEASE_MS', reason: 'must be a whole number from 1 to 2147483647' },
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
      { name: 'CONCURRENCY', reason: 'must be a whole number from 1 to 9007199254740991' },
    ]);
  });

  it.each(['-1', '0', '2147483648', '99999999999999999999'])(
    'says of the duration %j, a whole number, which ones a timer takes',
    (text) => {
      expect(problemsOf({ ...database, LEASE_MS: text })).toEqual([
        { name: 'LEASE_MS', reason: 'must be a whole number from 1 to 2147483647' },
      ]);
    },
  );

  it.each(['abc', '-1', '65536'])('says of the port %j which ones there are', (text) => {
    expect(problemsOf({ ...database, HEALTH_PORT: text })).toEqual([
      { name: 'HEALTH_PORT', reason: 'must be a whole number from 0 to 65535' },
    ]);
  });

  it.each(['mysql://h/d', 'h', ''])('does not take %j for a database', (text) => {
    expect(problemsOf({ DATABASE_URL: text })).toHaveLength(1);
  });
});

describe('secrets in files', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function secretFile(name: string, text: string): string {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  it.each(['postgres://u:p@h/d', 'postgres://u:p@h/d\n', 'postgres://u:p@h/d\r\n'])(
    'are read without the line end: %j',
    (text) => {
      const config = loadConfig(schema, { DATABASE_URL_FILE: secretFile('url', text) });

      expect(config.DATABASE_URL).toBe('postgres://u:p@h/d');
    },
  );

  it('are read for a schema with rules over it, or a transform behind it', () => {
    const environment = { DATABASE_URL_FILE: secretFile('url', 'postgres://h/d') };
    const read = (text: { readonly DATABASE_URL: string }): string => text.DATABASE_URL;

    expect(loadConfig(schema.refine(() => true).transform(read), environment)).toBe('postgres://h/d');
  });

  it('are checked as the variables are', () => {
    expect(problemsOf({ DATABASE_URL_FILE: secretFile('url', 'mysql://h/d') })).toEqual([
      { name: 'DATABASE_URL', reason: 'must be a URL that begins with postgres:// or postgresql://' },
    ]);
  });

  it.each([
    ['is not there', () => path.join(folder, 'none'), 'names a file that cannot be read: ENOENT'],
    ['is a folder', () => folder, 'names a file that cannot be read: EISDIR'],
    ['is empty', () => secretFile('empty', '\n'), 'names an empty file'],
  ])('stop the boot once, beside all else, when a file %s', (_what, file, reason) => {
    expect(problemsOf({ DATABASE_URL_FILE: file(), CONCURRENCY: '0' })).toEqual([
      { name: 'DATABASE_URL_FILE', reason },
      { name: 'CONCURRENCY', reason: 'must be a whole number from 1 to 9007199254740991' },
    ]);
  });

  it('are not there twice', () => {
    const environment = { ...database, DATABASE_URL_FILE: secretFile('url', 'postgres://other/d') };

    expect(problemsOf(environment)).toEqual([
      { name: 'DATABASE_URL_FILE', reason: 'is set beside DATABASE_URL: unset one' },
    ]);
  });

  it('of others are not read, and what is no secret comes in no file', () => {
    const environment = { ...database, SKEIN_SECRET_FILE: '/none', CONCURRENCY_FILE: secretFile('n', '3') };

    expect(loadConfig(schema, environment)).toMatchObject({ CONCURRENCY: 16 });
  });

  it('are the keys of providers too', () => {
    const key = secretFile('key', 'k3y\n');

    expect(providerEnvironment({ GEMINI_API_KEY_FILE: key })).toEqual({ GEMINI_API_KEY: 'k3y' });
    expect(() => providerEnvironment({ OPENAI_API_KEY_FILE: '/none' })).toThrow('OPENAI_API_KEY_FILE');
  });
});

describe('providerEnvironment', () => {
  it('hands out keys and base URLs of providers and the bound of answers, and nothing else', () => {
    const environment = {
      OPENAI_API_KEY: 'k',
      GEMINI_API_KEY: '',
      OPENAI_BASE_URL: 'http://proxy',
      SCRIPTED_LLM_LOG: '/tmp/log',
      MODEL_ANSWER_LIMIT_BYTES: '2048',
      TOOL_EGRESS_ALLOW: '10.0.0.0/8',
      DATABASE_URL: 'postgres://h',
    };

    expect(providerEnvironment(environment)).toEqual({
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: 'http://proxy',
      SCRIPTED_LLM_LOG: '/tmp/log',
      MODEL_ANSWER_LIMIT_BYTES: '2048',
      TOOL_EGRESS_ALLOW: '10.0.0.0/8',
    });
  });
});
