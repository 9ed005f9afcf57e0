import { aPlugin, calls, FakeLlm, partial, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { SequentialAgent } from '../agent/sequential-agent';
import { FunctionTool } from '../tool/function-tool';
import { type PluginHooks } from './base-plugin';

type Answers = ConstructorParameters<typeof FakeLlm>[0];

/** An app of one agent and one plugin of these hooks. */
function anApp(
  hooks: Partial<PluginHooks>,
  answers: Answers = [[text('done')]],
  config: Partial<LlmAgentConfig> = {},
) {
  const model = new FakeLlm(answers);
  const rootAgent = new LlmAgent({ name: 'root', model, ...config });
  return { model, app: { rootAgent, plugins: [aPlugin(hooks)] } };
}

describe('the order of hooks', () => {
  it('is plugins first, then the callbacks of the agent, in a whole turn (b.7, B21, B27, B40)', async () => {
    const order: string[] = [];
    const noting = (name: string) => (): undefined => {
      order.push(name);
    };
    const execute = (): string => {
      order.push('tool');
      return 'pong';
    };
    const ping = new FunctionTool({ name: 'ping', description: 'Pings.', execute });
    const rootAgent = new LlmAgent({
      name: 'root',
      model: new FakeLlm([[calls({ name: 'ping' })], [text('done')]]),
      tools: [ping],
      beforeAgentCallback: noting('agent.before_agent'),
      afterAgentCallback: noting('agent.after_agent'),
      beforeModelCallback: noting('agent.before_model'),
      afterModelCallback: noting('agent.after_model'),
      beforeToolCallback: noting('agent.before_tool'),
      afterToolCallback: noting('agent.after_tool'),
    });
    const plugins = ['one', 'two'].map((name) =>
      aPlugin(
        {
          onUserMessageCallback: noting(`${name}.on_user_message`),
          beforeRunCallback: noting(`${name}.before_run`),
          beforeAgentCallback: noting(`${name}.before_agent`),
          beforeModelCallback: noting(`${name}.before_model`),
          afterModelCallback: noting(`${name}.after_model`),
          onEventCallback: noting(`${name}.on_event`),
          beforeToolCallback: noting(`${name}.before_tool`),
          afterToolCallback: noting(`${name}.after_tool`),
          afterAgentCallback: noting(`${name}.after_agent`),
          afterRunCallback: noting(`${name}.after_run`),
          onRunErrorCallback: noting(`${name}.on_run_error`),
          onAgentErrorCallback: noting(`${name}.on_agent_error`),
          onModelErrorCallback: noting(`${name}.on_model_error`),
          onToolErrorCallback: noting(`${name}.on_tool_error`),
        },
        name,
      ),
    );

    await runTurn({ rootAgent, plugins });

    const both = (hook: string): string[] => [`one.${hook}`, `two.${hook}`];
    const all = (hook: string): string[] => [...both(hook), `agent.${hook}`];
    expect(order).toEqual([
      ...both('on_user_message'),
      ...both('before_run'),
      ...all('before_agent'),
      ...all('before_model'),
      ...all('after_model'),
      ...both('on_event'),
      ...all('before_tool'),
      'tool',
      ...all('after_tool'),
      ...both('on_event'),
      ...all('before_model'),
      ...all('after_model'),
      ...both('on_event'),
      ...all('after_agent'),
      ...both('after_run'),
    ]);
  });
});

describe('agent hooks of a plugin', () => {
  it('before_agent skips the agent and its own callback, and agents beside it go on (B40)', async () => {
    const beforeAgentCallback = jest.fn();
    const one = new LlmAgent({ name: 'one', model: new FakeLlm([]), beforeAgentCallback });
    const two = new LlmAgent({ name: 'two', model: new FakeLlm([[text('two')]]) });
    const rootAgent = new SequentialAgent({ name: 'root', subAgents: [one, two] });
    const plugin = aPlugin({
      beforeAgentCallback: ({ agent }) =>
        agent.name === 'one' ? { parts: [{ text: 'skipped' }] } : undefined,
    });

    const { events } = await runTurn({ rootAgent, plugins: [plugin] });

    expect(events).toMatchObject([
      { author: 'one', content: { role: 'model', parts: [{ text: 'skipped' }] } },
      { author: 'two', content: text('two').content },
    ]);
    expect(beforeAgentCallback).not.toHaveBeenCalled();
  });

  it('after_agent adds an event, and the callback of the agent is not asked (B40)', async () => {
    const afterAgentCallback = jest.fn();
    const { app } = anApp({ afterAgentCallback: () => ({ parts: [{ text: 'and more' }] }) }, undefined, {
      afterAgentCallback,
    });

    const { events } = await runTurn(app);

    expect(events).toMatchObject([
      text('done'),
      { author: 'root', content: { parts: [{ text: 'and more' }] } },
    ]);
    expect(afterAgentCallback).not.toHaveBeenCalled();
  });

  it('that were answered are not asked again after a crash (B40)', async () => {
    const beforeAgentCallback = jest.fn(() => ({ parts: [{ text: 'skipped' }] }));
    const { journal } = await runTurn(anApp({ beforeAgentCallback }).app);

    const resumed = await runTurn(anApp({ beforeAgentCallback }).app, { journal });

    expect(beforeAgentCallback).toHaveBeenCalledTimes(1);
    expect(resumed.journal.staged).toEqual(journal.staged);
  });

  it('on_agent_error is told, agent by agent upwards, and changes nothing (B52)', async () => {
    const told: string[] = [];
    const leaf = new LlmAgent({ name: 'leaf', model: new FakeLlm([new Error('Quota.')]) });
    const rootAgent = new SequentialAgent({ name: 'root', subAgents: [leaf] });
    const plugin = aPlugin({
      onAgentErrorCallback: ({ agent, callbackContext, error }) => {
        told.push(`${agent.name} ${callbackContext.agentName} ${error.message}`);
        throw new Error('The plugin too.');
      },
    });

    const { error } = await runTurn({ rootAgent, plugins: [plugin] });

    expect(told).toEqual(['leaf leaf Quota.', 'root root Quota.']);
    expect(error).toMatchObject({ message: 'Quota.' });
  });
});

describe('model hooks of a plugin', () => {
  it('before_model changes the request, and its state lands on the event of the answer (B21)', async () => {
    const { app, model } = anApp({
      beforeModelCallback: ({ callbackContext, llmRequest }) => {
        llmRequest.config.temperature = 0.5;
        callbackContext.state.set('asked', 1);
        return undefined;
      },
    });

    const { events } = await runTurn(app);

    expect(model.requests[0]?.config.temperature).toBe(0.5);
    expect(events[0]?.actions.stateDelta).toEqual({ asked: 1 });
  });

  it('before_model skips the model, after_model and the callbacks of the agent (B21)', async () => {
    const silent = { beforeModelCallback: jest.fn(), afterModelCallback: jest.fn() };
    const afterModelCallback = jest.fn();
    const { app, model } = anApp(
      { beforeModelCallback: () => text('cached'), afterModelCallback },
      undefined,
      silent,
    );

    const { events } = await runTurn(app);

    expect(events).toMatchObject([text('cached')]);
    expect(model.requests).toEqual([]);
    for (const callback of [afterModelCallback, silent.beforeModelCallback, silent.afterModelCallback]) {
      expect(callback).not.toHaveBeenCalled();
    }
  });

  it('after_model sees every piece and replaces it before the agent may (B21)', async () => {
    const afterModelCallback = jest.fn();
    const { app } = anApp(
      {
        afterModelCallback: ({ llmResponse }) =>
          llmResponse.partial ? undefined : { ...llmResponse, ...text('censored') },
      },
      [[partial(text('a')), text('ab')]],
      { afterModelCallback },
    );

    const { events } = await runTurn(app);

    expect(events).toMatchObject([text('a'), text('censored')]);
    expect(afterModelCallback).toHaveBeenCalledTimes(1);
  });

  it('on_model_error answers before the agent is asked (B23)', async () => {
    const onModelErrorCallback = jest.fn();
    const { app } = anApp(
      { onModelErrorCallback: ({ error }) => text(`Sorry: ${error.message}`) },
      [new Error('Quota.')],
      { onModelErrorCallback },
    );

    const { events, error } = await runTurn(app);

    expect(events).toMatchObject([text('Sorry: Quota.')]);
    expect(error).toBeUndefined();
    expect(onModelErrorCallback).not.toHaveBeenCalled();
  });

  it('leave a model error to the agent, then to an error event and the throw (B23)', async () => {
    const onModelErrorCallback = jest.fn();
    const failure = Object.assign(new Error('Quota.'), { name: 'ClientError' });
    const { app } = anApp({ onModelErrorCallback }, [failure], { onModelErrorCallback });

    const { events, error } = await runTurn(app);

    expect(onModelErrorCallback).toHaveBeenCalledTimes(2);
    expect(events).toMatchObject([{ errorCode: 'ClientError', errorMessage: 'Quota.' }]);
    expect(error).toBe(failure);
  });

  it('fail the run when they answer what no event can hold', async () => {
    const { app } = anApp({ beforeModelCallback: () => ({ content: 'text' as never }) });

    expect((await runTurn(app)).error).toMatchObject({ code: 'model.bad-answer' });
  });
});
