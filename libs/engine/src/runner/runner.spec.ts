import { collect, FakeLlm, partial, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { InMemorySessionService } from '../session/in-memory-session-service';
import { InMemoryRunner } from './in-memory-runner';
import { Runner } from './runner';

const newMessage = { role: 'user', parts: [{ text: 'hi' }] };
const key = { appName: 'app', userId: 'u', sessionId: 's' };

function aRunner(answers: ConstructorParameters<typeof FakeLlm>[0]) {
  const agent = new LlmAgent({ name: 'root', model: new FakeLlm(answers) });
  return new Runner({
    appName: 'app',
    agent,
    sessionService: new InMemorySessionService(),
    autoCreateSession: true,
  });
}

describe('Runner', () => {
  it('shows pieces and the answer, and stores the message and the answer', async () => {
    const runner = aRunner([[partial(text('o')), text('ok')]]);

    const shown = await collect(runner.runAsync({ ...key, newMessage }));

    expect(shown).toMatchObject([partial(text('o')), text('ok')]);
    const stored = await runner.sessionService.getSession(key);
    expect(stored?.events).toMatchObject([{ author: 'user', content: newMessage }, text('ok')]);
    expect(stored?.events[1]).toEqual(shown[1]);
  });

  it('shows an event only after it is stored (B64)', async () => {
    let release: () => void = () => undefined;
    const sessionService = new (class extends InMemorySessionService {
      override async appendEvent(request: Parameters<InMemorySessionService['appendEvent']>[0]) {
        if (request.event.author === 'root') await new Promise<void>((resolve) => (release = resolve));
        return super.appendEvent(request);
      }
    })();
    const agent = new LlmAgent({ name: 'root', model: new FakeLlm([[text('ok')]]) });
    const runner = new Runner({ appName: 'app', agent, sessionService, autoCreateSession: true });
    let shown = 0;

    const run = (async () => {
      for await (const _event of runner.runAsync({ ...key, newMessage })) shown += 1;
    })();
    // Whatever can run without the store has run after a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const shownBefore = shown;
    release();
    await run;

    expect([shownBefore, shown]).toEqual([0, 1]);
  });

  it('stores why a run failed, then throws it (B23)', async () => {
    const runner = aRunner([new TypeError('Broken.')]);

    await expect(collect(runner.runAsync({ ...key, newMessage }))).rejects.toThrow('Broken.');

    const stored = await runner.sessionService.getSession(key);
    expect(stored?.events.at(-1)).toMatchObject({ errorCode: 'TypeError', errorMessage: 'Broken.' });
  });

  it('gives each message an invocation of its own, and the model the conversation so far', async () => {
    const model = new FakeLlm([[text('one')], [text('two')]]);
    const runner = new InMemoryRunner({ agent: new LlmAgent({ name: 'root', model }) });
    const { id: sessionId } = await runner.sessionService.createSession({
      appName: runner.appName,
      userId: 'u',
    });

    const [first] = await collect(runner.runAsync({ userId: 'u', sessionId, newMessage }));
    const [second] = await collect(runner.runAsync({ userId: 'u', sessionId, newMessage }));

    expect(first?.invocationId).not.toBe(second?.invocationId);
    expect(model.requests[1]?.contents).toEqual([newMessage, text('one').content, newMessage]);
  });

  it('refuses a session that is not there, unless it may make one', async () => {
    const runner = new InMemoryRunner({ agent: new LlmAgent({ name: 'root', model: new FakeLlm([]) }) });

    await expect(collect(runner.runAsync({ ...key, newMessage }))).rejects.toMatchObject({
      code: 'session.not-found',
    });
  });

  it('runs a message in a session that is gone afterwards, also when the run fails', async () => {
    const fine = aRunner([[text('ok')]]);
    const broken = aRunner([new TypeError('Broken.')]);

    const shown = await collect(fine.runEphemeral({ userId: 'u', newMessage }));
    await expect(collect(broken.runEphemeral({ userId: 'u', newMessage }))).rejects.toThrow('Broken.');

    expect(shown).toMatchObject([text('ok')]);
    for (const { sessionService } of [fine, broken]) {
      expect(await sessionService.listSessions({ appName: 'app', userId: 'u' })).toEqual([]);
    }
  });
});
