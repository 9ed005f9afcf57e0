import type { ArgumentsHost } from '@nestjs/common';
import { AdkError } from '@skein/contracts';
import { type Logger, silentLogger } from '@skein/platform';
import { ErrorFilter } from './error.filter';

const IDS = { appName: 'app', sessionId: 's' };

/** What the filter logs and answers for one failure. */
function caught(thrown: unknown, times = 1) {
  const lines: { readonly level: string; readonly fields: object }[] = [];
  const log = (level: string) => (fields: object) => lines.push({ level, fields });
  const logger: Logger = { ...silentLogger, info: log('info'), warn: log('warn'), error: log('error') };
  const answer: { status?: number; body?: unknown; headers: Record<string, unknown> } = { headers: {} };
  const response = {
    req: { params: { ...IDS, userId: 'u' } },
    setHeader: (name: string, value: unknown) => (answer.headers[name] = value),
    status: (status: number) => {
      answer.status = status;
      return { json: (body: unknown) => (answer.body = body) };
    },
  };
  const http = {
    getRequest: () => ({ method: 'POST', route: { path: '/run' }, complete: true }),
    getResponse: () => response,
  };
  // As much of Nest's host as is used.
  const filter = new ErrorFilter(logger);
  for (let time = 0; time < times; time++)
    filter.catch(thrown, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return { lines, answer };
}

describe('ErrorFilter', () => {
  it('logs a run that failed as news, with its ids and without a stack: the failure is not of the gateway', () => {
    const { lines, answer } = caught(new AdkError('internal', 'run.failed', 'model.refused: no'));

    expect(lines).toEqual([
      {
        level: 'info',
        fields: {
          ...IDS,
          method: 'POST',
          route: '/run',
          status: 500,
          code: 'run.failed',
        },
      },
    ]);
    expect(answer).toMatchObject({ status: 500, body: { code: 'run.failed', detail: 'model.refused: no' } });
  });

  it('logs what it did not foresee as an error with its cause, and tells the client none of it', () => {
    const cause = new Error('password=hunter2');

    const { lines, answer } = caught(cause);

    expect(lines).toMatchObject([
      { level: 'error', fields: { code: 'internal.unexpected', err: { cause } } },
    ]);
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });

  it.each(['unavailable', 'deadline'] as const)('says when to ask again for what is %s', (kind) => {
    expect(caught(new AdkError(kind, 'rpc.timeout', 'late')).answer).toMatchObject({
      headers: { 'Retry-After': 1 },
    });
  });

  it("tells a client's mistake by its code alone", () => {
    const { lines } = caught(new AdkError('invalid', 'request.invalid', 'secret: is wrong'));

    expect(lines).toEqual([
      {
        level: 'warn',
        fields: { ...IDS, method: 'POST', route: '/run', status: 422, code: 'request.invalid' },
      },
    ]);
  });

  it.each([
    ['invalid', 10],
    ['not_found', 10],
    ['unavailable', 500],
  ] as const)(
    'writes of 500 requests that are all %s %i lines: a client cannot flood the log',
    (kind, lines) => {
      expect(caught(new AdkError(kind, 'request.wrong', 'wrong'), 500).lines).toHaveLength(lines);
    },
  );
});
