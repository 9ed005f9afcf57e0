import { AdkError } from '@skein/contracts';
import { startGateway, type RunningGateway } from '../../apps/gateway/test/running-gateway';

const user = '/apps/quickstart/users/user';
const session = `${user}/sessions/s`;
const changes: unknown = expect.stringMatching(/^p-[0-9a-f-]{36}$/);

describe('changing a session over HTTP', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.ask({ path: session, body: { mood: 'dull' } });
    gateway.svc.calls.splice(0);
  });
  afterEach(() => gateway.stop());

  const send = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await gateway.ask({ method, path, body, headers });
    return { status: answer.status, body: JSON.parse(answer.text) as Record<string, unknown> };
  };

  describe('PATCH of its state', () => {
    it.each(['stateDelta', 'state_delta'])(
      'writes the %s as an event of the user, and answers the session',
      async (field) => {
        const stateDelta = { mood: 'bright', 'user:name': 'Ada', gone: null };

        const { status, body } = await send('PATCH', session, { [field]: stateDelta });

        expect(status).toBe(200);
        expect(body).toMatchObject({ id: 's', state: stateDelta, events: [{ author: 'user' }] });
        expect(gateway.svc.calls[0]).toMatchObject({
          verb: 'write',
          input: {
            appName: 'quickstart',
            userId: 'user',
            sessionId: 's',
            event: {
              author: 'user',
              invocationId: changes,
              actions: { stateDelta, artifactDelta: {} },
            },
          },
        });
      },
    );

    it.each([
      ['If-Match "3"', {}, { 'if-match': '"3"' }, 3],
      ['If-Match 3', {}, { 'if-match': '3' }, 3],
      ['expectedSeq', { expectedSeq: 3 }, {}, 3],
      ['If-Match *', {}, { 'if-match': '*' }, undefined],
    ])('hands on what the client last read, told by %s', async (_name, more, headers, expectedSeq) => {
      await send('PATCH', session, { stateDelta: {}, ...more }, headers);

      expect(gateway.svc.calls[0]?.input).toMatchObject({ expectedSeq });
    });

    it('answers 409 with the head when the client is too late', async () => {
      gateway.svc.failure = new AdkError('conflict', 'session.stale', 'Session s is at seq 4, not at 3.', {
        details: { lastSeq: 4 },
      });

      const { status, body } = await send('PATCH', session, { stateDelta: {} }, { 'if-match': '"3"' });

      expect(status).toBe(409);
      expect(body).toEqual({
        detail: 'Session s is at seq 4, not at 3.',
        error: 'Session s is at seq 4, not at 3.',
        code: 'session.stale',
        lastSeq: 4,
      });
    });

    it.each([
      ['no body', undefined, {}, ''],
      ['no delta', {}, {}, 'stateDelta'],
      ['a delta that is no object', { stateDelta: [1] }, {}, 'stateDelta'],
      ['a key without a name', { stateDelta: { 'app:': 1 } }, {}, 'stateDelta.app:'],
      ['an expectedSeq below 0', { stateDelta: {}, expectedSeq: -1 }, {}, 'expectedSeq'],
      ['an If-Match that is no seq', { stateDelta: {} }, { 'if-match': 'W/"x"' }, 'If-Match'],
    ])('refuses %s with 422, and writes nothing', async (_name, given, headers, path) => {
      const { status, body } = await send('PATCH', session, given, headers);

      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'request.invalid', issues: [{ path }] });
      expect(gateway.svc.calls).toEqual([]);
    });

    it('answers 404 for a session that is not there', async () => {
      const { status, body } = await send('PATCH', `${user}/sessions/none`, { stateDelta: {} });

      expect([status, body.code]).toEqual([404, 'session.not-found']);
    });
  });

  describe('a rewind (B55)', () => {
    it.each(['rewindBeforeInvocationId', 'rewind_before_invocation_id'])(
      'hands the %s on, and answers the session',
      async (field) => {
        const { status, body } = await send('POST', `${session}/rewind`, { [field]: 'e-1' });

        expect([status, body.id]).toEqual([200, 's']);
        expect(gateway.svc.calls[0]).toEqual({
          verb: 'rewind',
          input: {
            appName: 'quickstart',
            userId: 'user',
            sessionId: 's',
            rewindBeforeInvocationId: 'e-1',
            eventId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
          },
        });
      },
    );

    it('is refused with 409 by a busy session, with 422 without an invocation, with 404 without a session', async () => {
      const none = await send('POST', `${session}/rewind`, {});
      const unknown = await send('POST', `${user}/sessions/none/rewind`, { rewindBeforeInvocationId: 'e-1' });
      gateway.svc.failure = new AdkError('conflict', 'session.busy', 'busy');
      const busy = await send('POST', `${session}/rewind`, { rewindBeforeInvocationId: 'e-1' });

      expect([none.status, unknown.status, busy.status]).toEqual([422, 404, 409]);
    });
  });

  describe('reading it as it was', () => {
    it('hands ?atSeq= on', async () => {
      expect((await send('GET', `${session}?atSeq=2`)).status).toBe(200);
      expect((await send('GET', `${session}?atSeq=0`)).status).toBe(200);

      expect(gateway.svc.calls.map(({ input }) => input)).toMatchObject([{ atSeq: 2 }, { atSeq: 0 }]);
    });

    it.each(['-1', 'x', '1.5', '', '1e3', '99999999999999999999', '1&atSeq=2'])(
      'refuses ?atSeq=%s',
      async (atSeq) => {
        const { status, body } = await send('GET', `${session}?atSeq=${atSeq}`);

        expect([status, body.code]).toEqual([422, 'request.invalid']);
        expect(gateway.svc.calls).toEqual([]);
      },
    );
  });

  describe("its user's memory (B61)", () => {
    it.each(['sessionId', 'session_id'])(
      'takes the session named by %s up, and answers null',
      async (field) => {
        const answer = await gateway.ask({ method: 'PATCH', path: `${user}/memory`, body: { [field]: 's' } });

        expect([answer.status, answer.text]).toEqual([200, 'null']);
        expect(answer.headers['content-type']).toContain('application/json');
        expect(gateway.svc.calls).toEqual([
          { verb: 'remember', input: { appName: 'quickstart', userId: 'user', sessionId: 's' } },
        ]);
      },
    );

    it('refuses a session that is not named, or not there', async () => {
      const unnamed = await send('PATCH', `${user}/memory`, {});
      const unknown = await send('PATCH', `${user}/memory`, { sessionId: 'none' });

      expect([unnamed.status, unknown.status]).toEqual([422, 404]);
    });
  });
});
