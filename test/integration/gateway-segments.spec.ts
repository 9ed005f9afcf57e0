import { AdkError } from '@skein/contracts';
import { INVOCATION } from '../../apps/gateway/test/fake-session-svc';
import { startGateway, type RunningGateway } from '../../apps/gateway/test/running-gateway';

const request = {
  appName: 'quickstart',
  userId: 'user',
  sessionId: 's',
  newMessage: { role: 'user', parts: [{ text: 'hello' }] },
};

describe('an input that goes on from an invocation, over HTTP', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const ask = (path: string, body: object) => gateway.ask({ path, body });

  it('resumes an invocation without a message, its id in either spelling (B54)', async () => {
    gateway.svc.onSubmit = () => {
      gateway.svc.say();
      gateway.svc.end();
    };
    const { newMessage: _left, ...bare } = request;

    const answers = [
      await ask('/run', { ...bare, invocationId: INVOCATION }),
      await ask('/run', { ...bare, invocation_id: INVOCATION }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const submits = gateway.svc.calls.filter(({ verb }) => verb === 'submit');
    expect(submits.map(({ input }) => input)).toMatchObject([
      { invocationId: INVOCATION },
      { invocationId: INVOCATION },
    ]);
    expect(submits[0]?.input).not.toHaveProperty('newMessage', expect.anything());
  });

  it('refuses a resume that the app does not know, as soon as a runner says so (B54)', async () => {
    const refusal = { code: 'run.not-resumable', message: 'Only a resumable app goes on.' };
    gateway.svc.onSubmit = () => gateway.svc.end('failed', refusal);
    const { newMessage: _left, ...bare } = request;
    const resume = { ...bare, invocationId: INVOCATION };

    const [whole, streamed] = [await ask('/run', resume), await ask('/run_sse', resume)];

    expect(whole.status).toBe(422);
    expect(JSON.parse(whole.text)).toMatchObject({ code: refusal.code, detail: refusal.message });
    expect(streamed.text).toContain(`${refusal.code}: ${refusal.message}`);
  });

  it('answers the events of the segment alone, and comes to rest when that waits (B47)', async () => {
    gateway.svc.say({ content: { parts: [{ text: 'before' }] } });
    gateway.svc.segment = 1;
    gateway.svc.onSubmit = () => {
      gateway.svc.say({ content: { parts: [{ text: 'after' }] } });
      gateway.svc.end('waiting');
    };
    const parts = [{ functionResponse: { id: 'c', name: 'f', response: {} } }];

    const answer = await ask('/run', { ...request, newMessage: { parts } });

    expect(answer.status).toBe(200);
    expect(answer.headers['x-invocation-id']).toBe(INVOCATION);
    expect(JSON.parse(answer.text)).toMatchObject([{ content: { parts: [{ text: 'after' }] } }]);
  });

  it.each([
    ['invalid', 'message.unmatched-response', 422],
    ['not_found', 'invocation.not-found', 404],
    ['conflict', 'invocation.busy', 409],
  ] as const)('tells of an input that nothing goes on from: %s', async (kind, code, status) => {
    gateway.svc.failure = new AdkError(kind, code, 'Refused.');

    const answers = [await ask('/run', request), await ask('/run_sse', request)];

    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.text)).toMatchObject({ code, detail: 'Refused.' });
    }
  });
});
