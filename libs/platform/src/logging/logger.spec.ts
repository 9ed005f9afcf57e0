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
