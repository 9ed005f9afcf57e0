import { AdkError } from '@skein/contracts';
import { silentLogger } from '@skein/platform';
import { aChunk, anEvent, INVOCATION } from '../../apps/gateway/test/fake-session-svc';
import { startGateway, type RunningGateway } from '../../apps/gateway/test/running-gateway';
import { waitUntil } from '../support/wait-until';

const sessions = '/apps/quickstart/users/user/sessions';
const request = {
  appName: 'quickstart',
  userId: 'user',
  sessionId: 's',
  newMessage: { role: 'user', parts: [{ text: 'hello' }] },
};

describe('the gateway over HTTP', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const ask = (path: string, body?: string | object, headers?: Record<string, string>) =>
    gateway.ask({ path, body, ...(headers === undefined ? {} : { headers }) });

  describe('system routes', () => {
    it('answers health and version', async () => {
      expect(JSON.parse((await ask('/health')).text)).toEqual({ status: 'ok' });
      expect(JSON.parse((await ask('/version')).text)).toEqual({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown,
        language: 'typescript',
        language_version: process.versions.node,
      });
    });

    it('lists the folders that hold an agent, sorted, and leaves out drafts', async () => {
      expect(JSON.parse((await ask('/list-apps?relative_path=./')).text)).toEqual(['notes', 'quickstart']);
      expect(JSON.parse((await ask('/list-apps?detailed=true')).text)).toMatchObject({
        apps: [{ name: 'notes' }, { name: 'quickstart' }],
      });
    });

    it('is ready only while every check is up', async () => {
      expect((await ask('/ready')).status).toBe(200);

      gateway.health.check('runner', () => false);
      const answer = await ask('/ready');

      expect(answer.status).toBe(503);
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'service.not-ready',
        checks: { runner: 'down' },
      });
    });
  });

  describe('sessions', () => {
    it.each([
      ['no body', undefined],
      ['null', 'null'],
      ['an empty object', {}],
    ])('creates one from %s', async (_name, body) => {
      const answer = await gateway.ask({ method: 'POST', path: sessions, body });

      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        appName: 'quickstart',
        events: [],
      });
    });

    it('creates one with id, state and events, and fills in what an event leaves out', async () => {
      const events = [{ author: 'user', content: { parts: [{ text: 'hi' }] } }];
      const answer = await ask(sessions, { session_id: 's1', state: { 'user:a': 1 }, events });

      expect(JSON.parse(answer.text)).toMatchObject({
        id: 's1',
        state: { 'user:a': 1 },
        events: [{ author: 'user', id: expect.any(String) as unknown, actions: { stateDelta: {} } }],
      });
    });

    it('creates, lists, gets and deletes by an id in the path whose body is the state', async () => {
      expect(JSON.parse((await ask(`${sessions}/a%2Fb`, { k: 'v' })).text)).toMatchObject({
        id: 'a/b',
        state: { k: 'v' },
      });
      expect(JSON.parse((await ask(sessions)).text)).toMatchObject([{ id: 'a/b' }]);
      expect((await ask(`${sessions}/a%2Fb`)).status).toBe(200);
      expect((await ask(`${sessions}/a%2Fb`, {})).status).toBe(409);

      const deleted = await gateway.ask({ method: 'DELETE', path: `${sessions}/a%2Fb` });

      expect([deleted.status, deleted.text]).toEqual([200, 'null']);
      const gone = await ask(`${sessions}/a%2Fb`);
      expect(gone.status).toBe(404);
      expect(JSON.parse(gone.text)).toMatchObject({
        detail: 'Session not found',
        error: 'Session not found',
      });
    });

    it('answers where an invocation stands', async () => {
      const answer = await ask(`${sessions}/s/invocations/${INVOCATION}`);

      expect(JSON.parse(answer.text)).toMatchObject({ invocationId: INVOCATION, status: 'running' });
    });
  });

  describe('/run', () => {
    it('answers the events of the agents, not the message of the user', async () => {
      gateway.svc.onSubmit = () => {
        gateway.svc.say({ author: 'user' });
        gateway.svc.say({ content: { role: 'model', parts: [{ text: 'hi' }] } });
        gateway.svc.end();
      };

      const answer = await ask('/run', request, { 'idempotency-key': 'k1' });

      expect(answer.status).toBe(200);
      expect(answer.headers['x-invocation-id']).toBe(INVOCATION);
      expect(JSON.parse(answer.text)).toMatchObject([
        { id: 'event-2', content: { parts: [{ text: 'hi' }] } },
      ]);
      expect(gateway.svc.calls[0]?.input).toMatchObject({
        newMessage: request.newMessage,
        runConfig: { streamingMode: 'none' },
        idempotencyKey: 'k1',
        onBusy: 'enqueue',
      });
    });

    it('takes the fields of a request in snake_case', async () => {
      gateway.svc.onSubmit = () => {
        gateway.svc.say();
        gateway.svc.end();
      };
      const response = { some_key: 1 };

      await ask('/run', {
        app_name: 'quickstart',
        user_id: 'user',
        session_id: 's',
        new_message: { parts: [{ function_response: { id: 'c', name: 'f', response } }] },
        state_delta: { some_key: 2 },
        function_call_event_id: 'e',
      });

      expect(gateway.svc.calls[0]?.input).toMatchObject({
        appName: 'quickstart',
        newMessage: { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'f', response } }] },
        stateDelta: { some_key: 2 },
        functionCallEventId: 'e',
      });
    });

    it('answers 500 with the reason when the run fails', async () => {
      gateway.svc.onSubmit = () => {
        gateway.svc.say({ errorCode: 'model.refused', errorMessage: 'no' });
        gateway.svc.end('failed', { code: 'model.refused', message: 'no' });
      };

      const answer = await ask('/run', request);

      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.text)).toEqual({
        detail: 'model.refused: no',
        error: 'model.refused: no',
        code: 'run.failed',
      });
    });
  });

  describe('/run_sse', () => {
    it('streams each frame as one network chunk, with chunks and the id of a stored event', async () => {
      // Each as soon as the client has what came before: two writes at once could arrive as one chunk.
      const play = [() => gateway.svc.say(), () => gateway.svc.end()];
      gateway.svc.onSubmit = () => {
        gateway.svc.feed.partial(aChunk({ id: 'event-2', n: 0, afterSeq: 1 }));
        gateway.svc.say({ author: 'user' });
      };

      const answer = await gateway.ask({
        path: '/run_sse',
        body: { ...request, streaming: true },
        onChunk: () => play.shift()?.(),
      });

      expect(answer.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        'x-invocation-id': INVOCATION,
      });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.chunks).toEqual([
        `data: ${JSON.stringify(anEvent({ id: 'event-2', partial: true }))}\n\n`,
        `id: 2\ndata: ${JSON.stringify(anEvent({ id: 'event-2' }))}\n\n`,
      ]);
    });

    it('leaves chunks out when the client did not ask for streaming', async () => {
      gateway.svc.onSubmit = () => {
        gateway.svc.feed.partial(aChunk({ id: 'event-1' }));
        gateway.svc.say();
        gateway.svc.end();
      };

      const answer = await ask('/run_sse', request);

      expect(answer.text.match(/^data: /gm)).toHaveLength(1);
      expect(answer.text).not.toContain('"partial"');
    });

    it('splits an event with content and artifacts, unless the client answers a call', async () => {
      const actions = { ...anEvent().actions, artifactDelta: { 'a.txt': 0 } };
      gateway.svc.onSubmit = () => {
        gateway.svc.say({ content: { parts: [{ text: 'hi' }] }, actions });
        gateway.svc.end();
      };

      const split = framesIn((await ask('/run_sse', request)).text);
      const whole = framesIn((await ask('/run_sse', { ...request, functionCallEventId: 'e' })).text);

      expect(split).toMatchObject([
        { content: { parts: [{ text: 'hi' }] }, actions: { artifactDelta: {} } },
        { actions: { artifactDelta: { 'a.txt': 0 } } },
      ]);
      expect(split[1]).not.toHaveProperty('content');
      expect(whole).toHaveLength(1);
    });

    it('answers JSON, not a stream, when the session is missing', async () => {
      gateway.svc.failure = new AdkError('not_found', 'session.not-found', 'Session not found');

      const answer = await ask('/run_sse', request);

      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toContain('application/json');
      expect(JSON.parse(answer.text)).toMatchObject({ detail: 'Session not found' });
    });

    it('shows the stored error event of a failed run, then the error frame, and closes', async () => {
      gateway.svc.onSubmit = () => {
        gateway.svc.say({ errorCode: 'model.refused', errorMessage: 'no' });
        gateway.svc.end('failed', { code: 'model.refused', message: 'no' });
      };

      const frames = framesIn((await ask('/run_sse', request)).text);

      const timestamp = expect.any(Number) as unknown;
      expect(frames).toMatchObject([
        { errorCode: 'model.refused' },
        {
          error: 'model.refused: no',
          error_details: { error_type: 'model.refused', error_message: 'no', timestamp },
        },
      ]);
    });

    it('tells clients that take up broken streams when chunks are void', async () => {
      gateway.svc.onSubmit = () => {
        gateway.svc.feed.partial(aChunk({ id: 'event-1', epoch: 1 }));
        gateway.svc.feed.partial(aChunk({ id: 'event-1', epoch: 2 }));
        gateway.svc.say();
        gateway.svc.end();
      };

      const frames = framesIn((await ask('/run_sse?resume=1', { ...request, streaming: true })).text);

      expect(frames).toMatchObject([
        { partial: true },
        { reset: 'event-1' },
        { partial: true },
        { id: 'event-1' },
      ]);
    });

    it('stops listening when the client leaves', async () => {
      const left = new AbortController();
      const response = await fetch(`${gateway.url}/run_sse`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal: left.signal,
      });
      expect(response.status).toBe(200);
      expect(gateway.svc.feed.listeners).toBe(1);

      left.abort();

      await waitUntil('nobody listens', () => gateway.svc.feed.listeners === 0 || undefined);
    });
  });

  it('ends open streams with a retry line and finishes /run when it shuts down', async () => {
    const other = await startGateway();
    const stream = other.ask({ path: '/run_sse', body: request });
    const run = other.ask({ path: '/run', body: request });
    await waitUntil('both listen', () => other.svc.feed.listeners === 2 || undefined);

    const stopped = other.stop();
    const ended = await stream;
    other.svc.say();
    other.svc.end();

    expect(ended.text).toBe('retry: 1000\n\n');
    expect((await run).status).toBe(200);
    await stopped;
    await expect(other.ask({ path: '/health' })).rejects.toThrow('ECONNREFUSED');
  });

  it('goes on answering for a while when it shuts down, each answer the last on its connection', async () => {
    const other = await startGateway(silentLogger, { drainMs: 300 });

    const stopped = other.stop();
    const answer = await other.ask({ path: '/health', headers: { connection: 'keep-alive' } });

    expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    await stopped;
  });

  it('tells who waits for a run too long when it shuts down which run to ask for, and when', async () => {
    const other = await startGateway(silentLogger, { answerMs: 50 });
    const run = other.ask({ path: '/run', body: request });
    await waitUntil('it listens', () => other.svc.feed.listeners === 1 || undefined);

    await other.stop();
    const { status, headers, text } = await run;

    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'retry-after': '1', 'x-invocation-id': INVOCATION });
    expect(JSON.parse(text)).toMatchObject({ code: 'gateway.ending' });
  });
});

function framesIn(text: string): unknown[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as unknown);
}
