import { calls, FakeLlm, runTurn, text, aPlugin } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { getFunctionResponses } from '../event/function-parts';
import { FunctionTool } from '../tool/function-tool';
import { type PluginHooks } from './base-plugin';

const failing = (): never => {
  throw new Error('Broken.');
};

/** An agent with one tool and one plugin; its model makes one call. */
function anApp(
  hooks: Partial<PluginHooks>,
  config: Partial<LlmAgentConfig> = {},
  { name = 'ping', execute = () => 'pong' }: { name?: string; execute?: () => unknown } = {},
) {
  const ran = jest.fn((_args: Record<string, unknown>) => execute());
  const ping = new FunctionTool({ name: 'ping', description: 'Pings.', execute: ran });
  const model = new FakeLlm([[calls({ name, args: { n: 1 } })], [text('done')]]);
  const rootAgent = new LlmAgent({ name: 'root', model, tools: [ping], ...config });
  return { ran, app: { rootAgent, plugins: [aPlugin(hooks)] } };
}

async function responseOf(app: ReturnType<typeof anApp>['app']): Promise<unknown> {
  const { events } = await runTurn(app);
  return events.flatMap(getFunctionResponses)[0]?.response;
}

describe('tool hooks of a plugin', () => {
  it('before_tool answers in the place of the tool, also with an empty object; after_tool still runs (B27)', async () => {
    const beforeToolCallback = jest.fn();
    const afterToolCallback = jest.fn();
    const { app, ran } = anApp({ beforeToolCallback: () => ({}), afterToolCallback }, { beforeToolCallback });

    expect(await responseOf(app)).toEqual({});
    expect(ran).not.toHaveBeenCalled();
    expect(beforeToolCallback).not.toHaveBeenCalled();
    expect(afterToolCallback).toHaveBeenCalledWith(expect.objectContaining({ result: {} }));
  });

  it('before_tool changes what is executed, not the stored call (B27)', async () => {
    const { app, ran } = anApp({
      beforeToolCallback: ({ toolArgs }) => {
        toolArgs.n = 2;
        return undefined;
      },
    });

    const { events } = await runTurn(app);

    expect(ran.mock.calls[0]?.[0]).toEqual({ n: 2 });
    expect(events[0]?.content?.parts?.[0]?.functionCall?.args).toEqual({ n: 1 });
  });

  it('after_tool replaces the result before the agent may (B27)', async () => {
    const afterToolCallback = jest.fn();
    const { app } = anApp(
      { afterToolCallback: ({ result }) => ({ was: result.result }) },
      { afterToolCallback },
    );

    expect(await responseOf(app)).toEqual({ was: 'pong' });
    expect(afterToolCallback).not.toHaveBeenCalled();
  });

  it('on_tool_error answers before the agent is asked, and after_tool sees the answer (B27)', async () => {
    const onToolErrorCallback = jest.fn();
    const afterToolCallback = jest.fn();
    const { app } = anApp(
      {
        onToolErrorCallback: ({ error, tool }) => ({ sorry: `${tool.name}: ${error.message}` }),
        afterToolCallback,
      },
      { onToolErrorCallback, toolErrors: 'raise' },
      { execute: failing },
    );

    expect(await responseOf(app)).toEqual({ sorry: 'ping: Broken.' });
    expect(onToolErrorCallback).not.toHaveBeenCalled();
    expect(afterToolCallback).toHaveBeenCalledWith(
      expect.objectContaining({ result: { sorry: 'ping: Broken.' } }),
    );
  });

  it('leave a tool error to the agent, then to the model, or to the run that raises (B27)', async () => {
    const order: string[] = [];
    const hooks = { onToolErrorCallback: () => void order.push('plugin') };
    const config = { onToolErrorCallback: () => void order.push('agent') };

    const response = await responseOf(anApp(hooks, config, { execute: failing }).app);
    const { error } = await runTurn(
      anApp(hooks, { ...config, toolErrors: 'raise' }, { execute: failing }).app,
    );

    expect(order).toEqual(['plugin', 'agent', 'plugin', 'agent']);
    expect(response).toEqual({ error: 'Broken.' });
    expect(error).toMatchObject({ message: 'Broken.' });
  });

  it.each(['made_up', 'made up!', ''])(
    'on_tool_error is asked about the tool %p that is none (B28)',
    async (name) => {
      const onToolErrorCallback = jest.fn(({ tool }: { tool: { name: string } }) => ({ none: tool.name }));
      const { app } = anApp({ onToolErrorCallback }, {}, { name });

      expect(await responseOf(app)).toEqual({ none: name });
    },
  );

  it('their state is on the event of the response', async () => {
    const { app } = anApp({
      beforeToolCallback: ({ toolContext }) => {
        toolContext.state.set('before', 1);
        return undefined;
      },
      afterToolCallback: ({ toolContext }) => {
        toolContext.state.set('after', toolContext.state.get('before'));
        return undefined;
      },
    });

    const { session } = await runTurn(app);

    expect(session.state).toEqual({ before: 1, after: 1 });
  });
});
