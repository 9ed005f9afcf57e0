import { calls, FakeLlm, partial, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { FunctionTool } from '../tool/function-tool';

const ping = new FunctionTool({ name: 'ping', description: 'Pings.', execute: () => 'pong' });

function anAgent(answers: ConstructorParameters<typeof FakeLlm>[0], config: Partial<LlmAgentConfig> = {}) {
  const model = new FakeLlm(answers);
  return { model, agent: new LlmAgent({ name: 'root', model, tools: [ping], ...config }) };
}

describe('a model call', () => {
  it('is skipped, with after_model, when before_model answers (B21)', async () => {
    const afterModelCallback = jest.fn();
    const { agent, model } = anAgent([[text('model')]], {
      beforeModelCallback: () => text('callback'),
      afterModelCallback,
    });

    const { events } = await runTurn(agent);

    expect(events).toMatchObject([{ author: 'root', content: text('callback').content }]);
    expect(model.requests).toEqual([]);
    expect(afterModelCallback).not.toHaveBeenCalled();
  });

  it('shows after_model every piece, and takes what it answers instead (B21)', async () => {
    const { agent } = anAgent([[partial(text('a')), text('ab')]], {
      afterModelCallback: ({ response }) =>
        response.partial ? undefined : { ...response, ...text('changed') },
    });

    const { events } = await runTurn(agent);

    expect(events.map(({ content }) => content?.parts?.[0]?.text)).toEqual(['a', 'changed']);
  });

  it('puts the state its callbacks set on the event of the answer (B21)', async () => {
    const { agent } = anAgent([[text('ok')]], {
      beforeModelCallback: ({ context }) => {
        context.state.set('before', 1);
      },
      afterModelCallback: ({ context }) => {
        context.state.set('after', context.state.get('before'));
      },
    });

    const { events, session } = await runTurn(agent);

    expect(events[0]?.actions.stateDelta).toEqual({ after: 1, before: 1 });
    expect(session.state).toEqual({ after: 1, before: 1 });
  });

  it('asks callbacks in order until one answers', async () => {
    const last = jest.fn();
    const { agent } = anAgent([], {
      beforeModelCallback: [() => undefined, () => text('second'), last],
    });

    const { events } = await runTurn(agent);

    expect(events).toMatchObject([text('second')]);
    expect(last).not.toHaveBeenCalled();
  });

  it.each([
    [3, 3, undefined],
    [2, 2, 'Max number of llm calls limit of `2` exceeded'],
    [0, 3, undefined],
    [-1, 3, undefined],
  ])('under a limit of %d happens %d times of 3 (B22)', async (maxLlmCalls, asked, message) => {
    const { agent, model } = anAgent([[calls({ name: 'ping' })], [calls({ name: 'ping' })], [text('done')]]);

    const { events, error } = await runTurn(agent, { runConfig: { maxLlmCalls } });

    expect(model.requests).toHaveLength(asked);
    expect(error instanceof Error ? error.message : undefined).toBe(message);
    expect(events.at(-1)?.errorCode).toBe(message && 'LlmCallsLimitExceededError');
  });

  it('that before_model skipped does not count (B22)', async () => {
    const { agent } = anAgent([], { beforeModelCallback: () => text('skipped') });

    expect((await runTurn(agent, { runConfig: { maxLlmCalls: 1 } })).error).toBeUndefined();
  });

  it('that fails is stored as an error event, then thrown (B23)', async () => {
    const failure = Object.assign(new Error('Quota.'), { name: 'ClientError' });
    const { agent } = anAgent([failure]);

    const { events, error, journal } = await runTurn(agent);

    expect(events).toMatchObject([{ errorCode: 'ClientError', errorMessage: 'Quota.' }]);
    expect(journal.staged.at(-1)?.event).toEqual(events[0]);
    expect(error).toBe(failure);
  });

  it('that fails is replaced by what on_model_error answers (B23)', async () => {
    const { agent } = anAgent([new Error('Quota.')], {
      onModelErrorCallback: ({ error }) => text(`Sorry: ${error.message}`),
    });

    const { events, error } = await runTurn(agent);

    expect(events).toMatchObject([text('Sorry: Quota.')]);
    expect(error).toBeUndefined();
  });

  it('that was skipped or failed is no answer that the ordinal counts', async () => {
    const { agent, model } = anAgent([[text('first')], [text('second')]], {
      beforeAgentCallback: ({ userContent }) =>
        userContent?.parts?.[0]?.text === 'skip' ? { parts: [{ text: 'Not now.' }] } : undefined,
    });

    const { session } = await runTurn(agent, { said: 'skip' });
    await runTurn(agent, { session });
    await runTurn(agent, { session });

    expect(model.requests.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
  });
});
