import { concealLine } from './conceal-line';
import { followWork, withWorkIds } from './log-context';
import { createLogger, type Logger } from './logger';
import { nestLogger } from './nest-logger';

describe('the log', () => {
  let lines: string[];
  let logger: Logger;

  beforeEach(() => {
    lines = [];
    logger = createLogger({
      service: 'runner-1',
      level: 'debug',
      destination: { write: (line) => lines.push(line) },
    });
  });

  function last(): Record<string, unknown> {
    return JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>; // Our own line.
  }

  it('has the service and the process on every line', () => {
    logger.child({ sessionId: 's' }).info({ seq: 4 }, 'event appended');

    expect(last()).toMatchObject({
      level: 'info',
      service: 'runner-1',
      pid: process.pid,
      sessionId: 's',
      seq: 4,
      msg: 'event appended',
    });
  });

  it('shows no secret by the name of its field, however deep, and no password of a URL', () => {
    logger.info(
      {
        Authorization: 'Bearer canary',
        config: { apiKey: 'canary', list: [{ access_token: 'canary', clientSecret: 'canary' }] },
        NATS_CREDS: 'canary',
        url: 'postgres://ann:canary@host/db',
      },
      'connected to nats://bob:canary@host',
    );
    logger.error({ err: new Error('cannot reach redis://:canary@host') }, 'failed');

    expect(lines.join('')).not.toContain('canary');
    expect(lines[0]).toContain('postgres://***@host/db');
  });

  it('shows no secret in a text, a message or a stack, whatever carries it', () => {
    const secrets = {
      WEATHER_API_KEY: 'canary-weather',
      ODD_SECRET: 'canary"\\odd',
      LIST: 'nats://ann:canary-nats@h',
    };
    const log = createLogger({
      service: 's',
      conceal: concealLine(secrets),
      destination: { write: (line) => lines.push(line) },
    });
    const jwt = 'eyJhbGciOiJub25l.eyJzdWIiOiJjYW5hcnki.canary';
    const failure = Object.assign(
      new Error('GET https://api/?key=canary-query failed: password=canary-driver'),
      {
        request: new Request('http://h/', { headers: { 'x-key': 'canary-instance' } }),
        config: { headers: { Authorization: 'Bearer canary-header-1' } },
        response: { headers: { 'set-cookie': ['canary-cookie'] } },
        cause: new Error('the token was ya29: Bearer canary-bearer-2'),
      },
    );

    log.error({ err: failure, nested: { error: failure }, list: [failure] }, 'call failed');
    log.info(
      { text: `of ${secrets.WEATHER_API_KEY}, ${secrets.ODD_SECRET} and canary-nats` },
      secrets.ODD_SECRET,
    );
    log.info({}, `put to http://minio/b/k?X-Amz-Credential=canary&X-Amz-Signature=canary with ${jwt}`);
    log.info(
      {},
      'AIzaCanarycanarycanarycanarycanary1234567 sk-canarycanarycanarycanary ghp_canarycanarycanarycanary',
    );
    log.error({ err: new AggregateError([failure], 'all failed') }, 'tried');

    expect(lines.join('').match(/canary[\w-]*/gi) ?? []).toEqual([]);
    expect(lines).toHaveLength(5);
  });

  it('tells of an error in one line, with its stack and those of its causes in fields', () => {
    logger.error({ err: new TypeError('broken', { cause: new Error('the disk is full') }) }, 'failed');

    expect(lines[0]?.trimEnd()).not.toContain('\n');
    expect(last()).toMatchObject({
      msg: 'failed',
      err: {
        type: 'TypeError',
        message: 'broken: the disk is full',
        stack: expect.stringMatching(/TypeError: broken\n.*caused by: Error: the disk/s),
      },
    });
  });

  it('has the ids of work that is followed on every line, and those a line gives itself before them', () => {
    followWork();
    withWorkIds({ appName: 'app', sessionId: 's', invocationId: 'e-1' }, () => {
      logger.info({}, 'of the run');
      logger.warn({ invocationId: 'e-2' }, 'of another');
    });
    logger.info({}, 'of none');

    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ appName: 'app', sessionId: 's', invocationId: 'e-1' }),
      expect.objectContaining({ appName: 'app', sessionId: 's', invocationId: 'e-2' }),
      expect.not.objectContaining({ sessionId: expect.anything() }),
    ]);
  });

  it('tells of each line that is written, and of none below its level', () => {
    const levels: string[] = [];
    const log = createLogger({
      service: 's',
      level: 'warn',
      onLine: (level) => levels.push(level),
      destination: { write: () => undefined },
    });

    log.info({}, 'left out');
    log.warn({}, 'written');

    expect(levels).toEqual(['warn']);
  });

  it('keeps fields that only sound like secrets', () => {
    logger.info({ stepKey: '0/a', idempotencyKey: 'i', promptTokenCount: 3 }, 'kept');

    expect(last()).toMatchObject({ stepKey: '0/a', idempotencyKey: 'i', promptTokenCount: 3 });
  });

  it('writes one line however the text looks', () => {
    logger.info({ text: 'a\n\u001b[31mb' }, 'line\nbreak');

    expect(lines[0]?.trimEnd()).not.toContain('\n');
    expect(lines[0]).not.toContain('\u001b');
  });

  it("takes Nest's lines with the name of the class", () => {
    const nest = nestLogger(logger);

    nest.error('it broke', 'Error: it broke\n at x', 'NatsModule');
    expect(last()).toMatchObject({ level: 'error', msg: 'it broke', context: 'NatsModule' });
    nest.error(new Error('thrown'));
    expect(last()).toMatchObject({ level: 'error', msg: 'thrown', err: { message: 'thrown' } });
    nest.log('Starting', 'NestFactory');
    expect(last()).toMatchObject({ level: 'debug', context: 'NestFactory' });
  });
});
