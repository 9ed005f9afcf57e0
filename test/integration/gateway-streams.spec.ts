import { anEvent, INVOCATION, SESSION_UID } from '../../apps/gateway/test/fake-session-svc';
import { startGateway, type RunningGateway } from '../../apps/gateway/test/running-gateway';
import { waitUntil } from '../support/wait-until';

const sessions = '/apps/quickstart/users/user/sessions';
const request = {
  appName: 'quickstart',
  userId: 'user',
  sessionId: 's',
  newMessage: { role: 'user', parts: [{ text: 'hello' }] },
};

describe('streams of the gateway over HTTP', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const ask = (path: string, body?: string | object, headers?: Record<string, string>) =>
    gateway.ask({ path, body, ...(headers === undefined ? {} : { headers }) });

  describe('a stream that is taken up again', () => {
    const events = `${sessions}/s/invocations/${INVOCATION}/events`;

    it('goes on by GET above Last-Event-ID, or else above ?after=', async () => {
      for (let i = 0; i < 3; i++) gateway.svc.store();
      gateway.svc.state = { status: 'completed' };

      const whole = await ask(events);
      const byQuery = await ask(`${events}?after=1`);
      const byHeader = await ask(`${events}?after=1`, undefined, { 'last-event-id': '2' });

      expect(whole.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-invocation-id': INVOCATION,
      });
      expect([whole, byQuery, byHeader].map(({ text }) => eventIdsIn(text))).toEqual([
        ['1', '2', '3'],
        ['2', '3'],
        ['3'],
      ]);
    });

    it('goes on by POST with the same Idempotency-Key, and asks for the run of before alone', async () => {
      gateway.svc.store({ author: 'user' });
      for (let i = 0; i < 2; i++) gateway.svc.store();
      gateway.svc.state = { status: 'completed' };

      const answer = await ask('/run_sse', request, { 'idempotency-key': 'k', 'last-event-id': '2' });

      expect(eventIdsIn(answer.text)).toEqual(['3']);
      expect(gateway.svc.calls[0]?.input).toMatchObject({ idempotencyKey: 'k', isRepeat: true });
    });

    it('is not begun a second time by a POST that has no key', async () => {
      const answer = await ask('/run_sse', request, { 'last-event-id': '2' });

      expect([answer.status, gateway.svc.calls]).toEqual([400, []]);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'run.resume-without-key' });
    });

    it.each(['-1', 'event-2', '1.5', '4', '99999999999999999999'])('is refused at the id %s', async (id) => {
      for (let i = 0; i < 3; i++) gateway.svc.store();

      const answers = [
        await ask(`${events}?after=${id}`),
        await ask(events, undefined, { 'last-event-id': id }),
        await ask(`${sessions}/s/events?after=${id}`),
        await ask(`${sessions}/s/events?after=${id}`, undefined, { accept: 'text/event-stream' }),
        await ask('/run_sse', request, { 'idempotency-key': 'k', 'last-event-id': id }),
      ];

      for (const { status, text } of answers) {
        expect(status).toBe(400);
        expect(JSON.parse(text)).toMatchObject({ code: 'stream.unknown-id' });
      }
    });

    it.each(['yes', '2', '1&resume=1'])('is refused with resume=%s, whichever the route', async (wish) => {
      const answers = [
        await ask(`${events}?resume=${wish}`),
        await ask(`${sessions}/s/events?resume=${wish}`, undefined, { accept: 'text/event-stream' }),
        await ask(`/run_sse?resume=${wish}`, request),
      ];

      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
      expect(gateway.svc.calls).toEqual([]);
    });

    it('is not found under another id', async () => {
      const answer = await ask(`${sessions}/s/invocations/e-other/events`);

      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'invocation.not-found' });
    });
  });

  describe('the events of a session', () => {
    it('are a page of JSON above ?after=', async () => {
      gateway.svc.store({ author: 'user' });
      gateway.svc.store();

      const answer = await ask(`${sessions}/s/events?after=0`);

      expect(JSON.parse(answer.text)).toEqual({
        sessionUid: SESSION_UID,
        lastSeq: 2,
        events: [
          { seq: 1, event: anEvent({ id: 'event-1', author: 'user' }) },
          { seq: 2, event: anEvent({ id: 'event-2' }) },
        ],
      });
    });

    it("are a stream, the user's with them, for who accepts one", async () => {
      gateway.svc.store({ author: 'user' });
      gateway.svc.store();
      const left = new AbortController();

      const response = await fetch(`${gateway.url}${sessions}/s/events`, {
        headers: { accept: 'text/event-stream' },
        signal: left.signal,
      });
      const reader = response.body?.getReader();
      let text = '';
      const readUntil = async (id: string) => {
        while (!eventIdsIn(text).includes(id)) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done || value === undefined) throw new Error(`the stream ended after: ${text}`);
          text += Buffer.from(value).toString();
        }
      };
      await readUntil('2');
      gateway.svc.say({ invocationId: 'e-next' });
      await readUntil('3');
      left.abort();

      expect(response.headers.get('x-session-uid')).toBe(SESSION_UID);
      expect(eventIdsIn(text)).toEqual(['1', '2', '3']);
      await waitUntil('nobody listens', () => gateway.svc.feed.listeners === 0 || undefined);
    });

    it('are not those of another session that has the id now', async () => {
      gateway.svc.store();

      const answer = await ask(`${sessions}/s/events?after=1&sessionUid=uid-0`);

      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'session.deleted' });
    });
  });

  it('lists invocations by pages of what was asked for', async () => {
    const answer = await ask(`${sessions}/s/invocations?limit=2&before=e-9`);
    const refused = await Promise.all(
      ['0', '201', 'x'].map((limit) => ask(`${sessions}/s/invocations?limit=${limit}`)),
    );

    expect(JSON.parse(answer.text)).toMatchObject({ invocations: [{ invocationId: INVOCATION }] });
    expect(gateway.svc.calls[0]).toMatchObject({ verb: 'invocations', input: { limit: 2, before: 'e-9' } });
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
  });
});

function eventIdsIn(text: string): (string | undefined)[] {
  return [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
}
