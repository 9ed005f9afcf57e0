import { type Event } from '@skein/contracts';
import { aPlugin, calls, collect, FakeLlm, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { InMemorySessionService } from '../session/in-memory-session-service';
import { LongRunningFunctionTool } from '../tool/long-running-function-tool';
import { FunctionTool } from '../tool/function-tool';
import { type BaseLlm } from '../model/base-llm';
import { type LlmResponse } from '../model/llm-response';
import { Runner } from './runner';

const newMessage = { role: 'user', parts: [{ text: 'hi' }] };
const key = { appName: 'app', userId: 'u', sessionId: 's' };
const end = { errorCode: 'invocation.cancelled', errorMessage: 'The invocation was cancelled.' };

/** A model that says when it is asked, and answers never. */
class SilentLlm extends FakeLlm {
  signal: AbortSignal | undefined;
  #asked: () => void = () => undefined;
  readonly asked = new Promise<void>((resolve) => (this.#asked = resolve));

  constructor() {
    super([]);
  }

  override async *generateContentAsync(
    ...[, , signal]: Parameters<BaseLlm['generateContentAsync']>
  ): AsyncGenerator<LlmResponse, void> {
    this.signal = signal;
    this.#asked();
    yield await new Promise<never>(() => undefined);
  }
}

function aRunner(agent: LlmAgent, plugins = [aPlugin()]) {
  const sessionService = new InMemorySessionService();
  return new Runner({ appName: 'app', agent, plugins, sessionService, autoCreateSession: true });
}

async function storedBy(runner: Runner): Promise<Event[]> {
  return (await runner.sessionService.getSession(key))?.events ?? [];
}

describe('a run that is cancelled', () => {
  it('ends at once with one event that says so, also when its model does not listen', async () => {
    const model = new SilentLlm();
    const runner = aRunner(new LlmAgent({ name: 'root', model }));
    const abort = new AbortController();

    const shown = collect(runner.runAsync({ ...key, newMessage, abortSignal: abort.signal }));
    await model.asked;
    abort.abort();

    expect(await shown).toMatchObject([{ ...end, author: 'root' }]);
    expect(model.signal?.aborted).toBe(true);
    expect(await storedBy(runner)).toMatchObject([{ author: 'user', content: newMessage }, end]);
  });

  it('is ended by its runner too, once', async () => {
    const model = new SilentLlm();
    const runner = aRunner(new LlmAgent({ name: 'root', model }));

    const shown = collect(runner.runAsync({ ...key, newMessage, invocationId: 'e-1' }));
    await model.asked;

    expect(await runner.cancel({ ...key, invocationId: 'e-1' })).toBe(true);
    expect(await shown).toMatchObject([end]);
    expect(await runner.cancel({ ...key, invocationId: 'e-1' })).toBe(false);
    expect(await storedBy(runner)).toHaveLength(2);
  });

  it('answers the calls it leaves open, and aborts what runs for them', async () => {
    const started: AbortSignal[] = [];
    const abort = new AbortController();
    const slow = new FunctionTool({
      name: 'slow',
      description: 'Takes for ever.',
      execute: (_args, context) => {
        started.push(context.signal);
        abort.abort();
        return new Promise(() => undefined);
      },
    });
    const model = new FakeLlm([[calls({ id: 'c1', name: 'slow', args: {} })]]);
    const runner = aRunner(new LlmAgent({ name: 'root', model, tools: [slow] }));

    await collect(runner.runAsync({ ...key, newMessage, abortSignal: abort.signal }));

    expect(started.map(({ aborted }) => aborted)).toEqual([true]);
    const [, , answers, told, ...more] = await storedBy(runner);
    expect(answers?.content?.parts).toEqual([
      { functionResponse: { id: 'c1', name: 'slow', response: { error: end.errorMessage } } },
    ]);
    expect([told, more]).toMatchObject([end, []]);
  });

  it('is no failure: neither hooks of errors nor that of its end are asked', async () => {
    const hooks = {
      onRunErrorCallback: jest.fn(),
      onAgentErrorCallback: jest.fn(),
      afterRunCallback: jest.fn(),
    };
    const model = new SilentLlm();
    const runner = aRunner(new LlmAgent({ name: 'root', model }), [aPlugin(hooks)]);
    const abort = new AbortController();

    const shown = collect(runner.runAsync({ ...key, newMessage, abortSignal: abort.signal }));
    await model.asked;
    abort.abort();
    await shown;

    for (const hook of Object.values(hooks)) expect(hook).not.toHaveBeenCalled();
  });

  it('keeps what the user said when it was cancelled before that was stored', async () => {
    const runner = aRunner(new LlmAgent({ name: 'root', model: new FakeLlm([]) }));

    await collect(runner.runAsync({ ...key, newMessage, abortSignal: AbortSignal.abort() }));

    expect(await storedBy(runner)).toMatchObject([{ author: 'user', content: newMessage }, end]);
  });

  it('stores nothing of a plugin that comes back afterwards', async () => {
    const abort = new AbortController();
    let comeBack: () => void = () => undefined;
    const onUserMessageCallback = async () => {
      abort.abort();
      await new Promise<void>((resolve) => (comeBack = resolve));
      return { role: 'user', parts: [{ text: 'changed' }] };
    };
    const model = new FakeLlm([[text('too late')]]);
    const runner = aRunner(new LlmAgent({ name: 'root', model }), [aPlugin({ onUserMessageCallback })]);

    await collect(runner.runAsync({ ...key, newMessage, abortSignal: abort.signal }));
    comeBack();
    await new Promise((resolve) => setImmediate(resolve));

    expect(await storedBy(runner)).toMatchObject([{ content: newMessage }, end]);
    expect(model.requests).toEqual([]);
  });

  it('leaves a session whose next message is answered', async () => {
    const ask = new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined });
    const model = new FakeLlm([[calls({ id: 'c1', name: 'ask', args: {} })], [text('fine')]]);
    const runner = aRunner(new LlmAgent({ name: 'root', model, tools: [ask] }));
    await collect(runner.runAsync({ ...key, newMessage, invocationId: 'e-1' }));

    expect(await runner.cancel({ ...key, invocationId: 'e-1' })).toBe(true);
    expect(await collect(runner.runAsync({ ...key, newMessage }))).toMatchObject([text('fine')]);

    const parts = model.requests[1]?.contents.flatMap((content) => content.parts ?? []);
    expect(parts).toMatchObject([
      { text: 'hi' },
      { functionCall: { id: 'c1' } },
      { functionResponse: { id: 'c1', response: { error: end.errorMessage } } },
      { text: 'hi' },
    ]);
  });

  it('row 43: takes no answer any more', async () => {
    const ask = new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined });
    const model = new FakeLlm([[calls({ id: 'c1', name: 'ask', args: {} })]]);
    const runner = aRunner(new LlmAgent({ name: 'root', model, tools: [ask] }));
    await collect(runner.runAsync({ ...key, newMessage, invocationId: 'e-1' }));
    await runner.cancel({ ...key, invocationId: 'e-1' });
    const answer = { functionResponse: { id: 'c1', name: 'ask', response: { ok: true } } };

    const late = collect(runner.runAsync({ ...key, newMessage: { role: 'user', parts: [answer] } }));

    await expect(late).rejects.toMatchObject({ kind: 'conflict', code: 'invocation.cancelled' });
  });
});
