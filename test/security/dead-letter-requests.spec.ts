import { AdkError } from '@skein/contracts';
import { LETTER } from '../../apps/gateway/test/fake-dead-letters';
import { type Answer, type RunningGateway, startGateway } from '../../apps/gateway/test/running-gateway';

const all = (app = 'quickstart') => `/apps/${app}/dead-letters`;
const one = (id: string = LETTER, app?: string) => `${all(app)}/${id}`;

interface Route {
  readonly name: string;
  readonly method: string;
  path(id?: string, app?: string): string;
}

const routes: readonly Route[] = [
  { name: 'show', method: 'GET', path: one },
  { name: 'redrive', method: 'POST', path: (id, app) => `${one(id, app)}/redrive` },
  { name: 'discard', method: 'DELETE', path: one },
];

const BAD_IDS = ['d-1', 'x', LETTER.toUpperCase(), `${LETTER}0`, '%00', "d-'%20OR%201=1--", '..%2f..', 'd-*'];
const BAD_APPS = ['user', '1app', 'a.b', '%00', 'a%20b', 'x'.repeat(257)];
const encode = (text: string): string => Buffer.from(text).toString('base64url');
const BAD_CURSORS = [
  'x',
  '%00',
  encode(`1.${LETTER}; DROP TABLE adk_sessions`),
  encode(`-1.${LETTER}`),
  encode(`1e400.${LETTER}`),
  encode(`9007199254740993.${LETTER}`),
  encode(`1.d-1`),
  encode('1'),
  `${encode(`1.${LETTER}`)}==`,
  'a'.repeat(10_000),
];

describe('dead letters asked for in bad ways', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.svc.deadLetters.failure = undefined;
    gateway.svc.deadLetters.calls.splice(0);
  });

  describe.each(routes)('$name', ({ method, path }) => {
    it('answers the letter', async () => {
      const answer = await gateway.ask({ method, path: path() });

      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toMatchObject({ dispatchId: LETTER, tool: 'add', args: { a: 1 } });
    });

    it.each(BAD_IDS)('row 25: refuses the id %p', async (id) => {
      expectRefusal(await gateway.ask({ method, path: path(id) }), 422, 'request.invalid');
      expect(gateway.svc.deadLetters.calls).toEqual([]);
    });

    it.each(BAD_APPS)('row 13: refuses the app %p', async (app) => {
      expectRefusal(await gateway.ask({ method, path: path(LETTER, app) }), 422, 'request.invalid');
    });

    it('knows none of another app', async () => {
      expectRefusal(await gateway.ask({ method, path: path(LETTER, 'notes') }), 404, 'dead-letter.not-found');
    });

    it('tells a conflict as one', async () => {
      gateway.svc.deadLetters.failure = new AdkError('conflict', 'dead-letter.under-way', 'It is under way.');

      expectRefusal(await gateway.ask({ method, path: path() }), 409, 'dead-letter.under-way');
    });
  });

  it.each(BAD_CURSORS)('row 25: refuses the cursor %p', async (before) => {
    expectRefusal(await gateway.ask({ path: `${all()}?before=${before}` }), 422, 'request.invalid');
  });

  it.each([
    'status=dead',
    'status=',
    'status=open&status=discarded',
    'limit=0',
    'limit=201',
    'limit=1e3',
    'limit=-1',
  ])('refuses the query %p', async (query) => {
    expectRefusal(await gateway.ask({ path: `${all()}?${query}` }), 422, 'request.invalid');
  });

  it.each(['force=yes', 'force=2', 'force=', 'force=true&force=false'])('refuses %p', async (query) => {
    const path = `${one()}/redrive?${query}`;

    expectRefusal(await gateway.ask({ method: 'POST', path }), 422, 'request.invalid');
    expect(gateway.svc.deadLetters.calls).toEqual([]);
  });

  it('takes back the cursor it gave, within the app it is asked of', async () => {
    const first = JSON.parse((await gateway.ask({ path: `${all()}?status=open&limit=1` })).text) as {
      next: string;
    };

    const answer = await gateway.ask({ path: `${all('notes')}?before=${first.next}` });

    expect(JSON.parse(answer.text)).toMatchObject({ deadLetters: [] });
    expect(gateway.svc.deadLetters.calls.at(-1)?.input).toMatchObject({
      appName: 'notes',
      before: { diedAtMicros: 1_700_000_000_000_001, dispatchId: LETTER },
    });
  });

  it('forces nothing unless it is told to', async () => {
    await gateway.ask({ method: 'POST', path: `${one()}/redrive` });
    await gateway.ask({ method: 'POST', path: `${one()}/redrive?force=true` });

    expect(gateway.svc.deadLetters.calls.map(({ input }) => input)).toMatchObject([
      { isForced: false },
      { isForced: true },
    ]);
  });
});

function expectRefusal(answer: Answer, status: number, code: string): void {
  const body = JSON.parse(answer.text) as { detail: string; error: string; code: string };
  expect({ status: answer.status, code: body.code }).toEqual({ status, code });
  expect(body.detail).toBe(body.error);
}
