import { appEnvironment, type SharedSettings } from './app-environment';

const settings: SharedSettings = {
  inherited: {
    PATH: '/bin',
    LEASE_MS: '5',
    GOOGLE_API_KEY: 'key',
    DATABASE_URL: 'postgresql://outer',
    SKEIN_SECRET: 'outer',
    PORT: '1',
    HEALTH_PORT: '9000',
  },
  dataDir: '/data',
  agentsDir: '/agents',
  natsUrl: 'nats://n',
  databaseUrl: 'postgresql://d',
  secret: 'ours',
  host: '0.0.0.0',
  port: 8001,
};

describe('appEnvironment', () => {
  it('tells the database and the secret to session-svc alone', () => {
    const apps = ['session-svc', 'runner', 'tool-worker', 'gateway'] as const;

    const told = apps.map((app) => appEnvironment(app, app, settings));

    expect(told.map(({ DATABASE_URL }) => DATABASE_URL)).toEqual([
      'postgresql://d',
      undefined,
      undefined,
      undefined,
    ]);
    expect(told.map(({ SKEIN_SECRET }) => SKEIN_SECRET)).toEqual(['ours', undefined, undefined, undefined]);
  });

  it('has session-svc guess claims, and calls be held, where it is the only one, unless the environment says otherwise', () => {
    const only = { ...settings, hasOneSessionService: true };
    const wished = { ...only, inherited: { GUESS_CLAIMS: 'false' } };

    const told = [settings, only, wished].map((one) => appEnvironment('session-svc', 'session-svc', one));

    expect(told.map(({ GUESS_CLAIMS }) => GUESS_CLAIMS)).toEqual([undefined, 'true', 'false']);
    expect(told.map(({ HOLD_CALLS }) => HOLD_CALLS)).toEqual([undefined, 'true', 'true']);
    expect(appEnvironment('runner', 'runner-1', only).GUESS_CLAIMS).toBeUndefined();
  });

  it('gives what turns leave behind room, less at the gateway, unless the environment says otherwise', () => {
    const wished = { ...settings, inherited: { NODE_OPTIONS: '--max-semi-space-size=8' } };

    expect(appEnvironment('runner', 'runner-1', settings).NODE_OPTIONS).toBe('--max-semi-space-size=64');
    expect(appEnvironment('gateway', 'gateway', settings).NODE_OPTIONS).toBe('--max-semi-space-size=16');
    expect(appEnvironment('gateway', 'gateway', wished).NODE_OPTIONS).toBe(
      '--max-semi-space-size=16 --max-semi-space-size=8',
    );
  });

  it('keeps what agents compile to with all else that the stack keeps, unless the environment says otherwise', () => {
    const wished = { ...settings, inherited: { AGENTS_CACHE_DIR: '/elsewhere' } };

    expect(appEnvironment('runner', 'runner-1', settings).AGENTS_CACHE_DIR).toBe('/data/compiled-agents');
    expect(appEnvironment('runner', 'runner-1', wished).AGENTS_CACHE_DIR).toBe('/elsewhere');
  });

  it('tells no process of files that hold what it is given otherwise, or must not know', () => {
    const files = { DATABASE_URL_FILE: '/run/d', SKEIN_SECRET_FILE: '/run/s', NATS_URL_FILE: '/run/n' };
    const wished = { ...settings, inherited: { ...files, GEMINI_API_KEY_FILE: '/run/g' } };

    for (const app of ['session-svc', 'tool-worker'] as const) {
      const told = Object.keys(appEnvironment(app, app, wished)).filter((name) => name.endsWith('_FILE'));
      expect(told).toEqual(['GEMINI_API_KEY_FILE']);
    }
  });

  it('tells the address to the gateway alone', () => {
    expect(appEnvironment('gateway', 'gateway', settings)).toMatchObject({ HOST: '0.0.0.0', PORT: '8001' });
    expect(appEnvironment('runner', 'runner-1', settings)).not.toHaveProperty('PORT');
  });

  it('hands on what it does not know, and gives every process a health port of its own', () => {
    expect(appEnvironment('tool-worker', 'tool-worker-2', settings)).toMatchObject({
      PATH: '/bin',
      LEASE_MS: '5',
      GOOGLE_API_KEY: 'key',
      HEALTH_PORT: '0',
      SKEIN_PROCESS_NAME: 'tool-worker-2',
      LOG_FORMAT: 'pretty',
    });
  });

  it('leaves the wished log format and level', () => {
    const wished = { ...settings, inherited: { LOG_FORMAT: 'json', LOG_LEVEL: 'debug' } };

    expect(appEnvironment('runner', 'runner-1', wished)).toMatchObject({
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'debug',
    });
  });
});
