import { appFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** Fields of an app with one plugin of these hooks beside this root agent. */
function withPlugin(hooks: string, rootAgent: string): string {
  return appFile(
    `rootAgent: ${rootAgent}, plugins: [new Probe('probe')]`,
    `\nclass Probe extends BasePlugin {\n${hooks}\n}`,
  );
}

/** What plugins see and change, before any callback of an agent's own. */
export const pluginCases: readonly ConformanceCase[] = [
  {
    name: 'plugin_all_hooks',
    says: 'calls the hooks of a plugin in the order of a turn, each before the callback of the agent (B21, B27, B48, B50, B51, B52)',
    source: appFile(
      `rootAgent: agent('root', [says(calls('f')), says('Done.'), says('Later.')], {
        tools: [tool('f', () => 1, { placement: 'inline' })],
        beforeAgentCallback: own('beforeAgent'), afterAgentCallback: own('afterAgent'),
        beforeModelCallback: own('beforeModel'), afterModelCallback: own('afterModel'),
        beforeToolCallback: own('beforeTool'), afterToolCallback: own('afterTool'),
      }),
      plugins: [new Probe('probe')]`,
      `
let trace = [];
const own = (name) => () => void trace.push('own ' + name);
const HOOKS = ['beforeRun', 'beforeModel', 'afterModel', 'beforeTool', 'afterTool', 'afterAgent'];
class Probe extends BasePlugin {
  constructor(name) {
    super(name);
    for (const hook of HOOKS) this[hook + 'Callback'] = () => void trace.push(hook);
  }
  async onUserMessageCallback() { trace = ['onUserMessage']; }
  async onEventCallback({ event }) { trace.push('onEvent ' + event.author); }
  async afterRunCallback({ invocationContext }) {
    const { appName, userId, id: sessionId } = invocationContext.session;
    const artifact = { text: [...trace, 'afterRun'].join(', ') };
    await invocationContext.artifactService.saveArtifact({ appName, userId, sessionId, filename: 'trace', artifact });
  }
  async beforeAgentCallback({ callbackContext }) {
    const stored = await callbackContext.loadArtifact('trace');
    if (stored) callbackContext.state.set('trace', stored.text.split(', '));
    trace.push('beforeAgent');
  }
}`,
    ),
    steps: [{ say: 'go' }, { say: 'and?' }],
    expect: {
      turns: [
        ['root: f({})', 'root: f -> {"result":1}', 'root: Done.'],
        [
          `root: [state ${JSON.stringify({
            trace: [
              ...['onUserMessage', 'beforeRun', 'beforeAgent', 'own beforeAgent'],
              ...['beforeModel', 'own beforeModel', 'afterModel', 'own afterModel', 'onEvent root'],
              ...['beforeTool', 'own beforeTool', 'afterTool', 'own afterTool', 'onEvent root'],
              ...['beforeModel', 'own beforeModel', 'afterModel', 'own afterModel', 'onEvent root'],
              ...['afterAgent', 'own afterAgent', 'afterRun'],
            ],
          })}]`,
          'root: Later.',
        ],
      ],
    },
  },
  {
    name: 'plugin_before_own',
    says: 'asks no callback of the agent once a plugin has answered (B21, B40)',
    source: withPlugin(
      `
  beforeAgentCallback({ agent, callbackContext }) {
    callbackContext.state.set('by', agent.name);
    return spoken('From the plugin.');
  }`,
      `agent('root', [says('never')], { beforeAgentCallback: () => spoken('never') })`,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: From the plugin. [state {"by":"root"}]']], asked: [] },
  },
  {
    name: 'plugin_user_message',
    says: 'stores and sends what a plugin makes of the message of the user (B48)',
    source: withPlugin(
      `
  onUserMessageCallback({ userMessage }) {
    return { role: 'user', parts: userMessage.parts.map(({ text }) => ({ text: text.replace(/\\d/g, '*') })) };
  }`,
      `agent('root', [says('Safe.')])`,
    ),
    steps: [{ say: 'my pin is 1234' }],
    expect: {
      turns: [['root: Safe.']],
      stored: ['user: my pin is ****', 'root: Safe.'],
      asked: [['user: my pin is ****']],
    },
  },
  {
    name: 'plugin_before_run',
    says: 'ends a run with what before_run says, before any agent (B51)',
    source: withPlugin(
      `
  beforeRunCallback({ invocationContext }) {
    return invocationContext.userContent.parts[0].text === 'stop' ? spoken('Not today.') : undefined;
  }`,
      `agent('root', [says('Hello.')], { beforeAgentCallback: ({ state }) => void state.set('began', true) })`,
    ),
    steps: [{ say: 'stop' }, { say: 'hi' }],
    expect: {
      turns: [['model: Not today.'], ['root: [state {"began":true}]', 'root: Hello.']],
      stored: ['user: stop', 'model: Not today.', 'user: hi', 'root: [state {"began":true}]', 'root: Hello.'],
    },
  },
  {
    name: 'plugin_on_event',
    says: 'shows and stores events as on_event left them, under their own ids (B50)',
    source: withPlugin(
      `
  onEventCallback({ event }) {
    if (!event.content.parts[0].text) return undefined;
    return { ...event, id: 'another', content: spoken(event.content.parts[0].text.toUpperCase()) };
  }`,
      `agent('root', [says('quiet'), says('silent')])`,
    ),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['root: QUIET'], ['root: SILENT']],
      stored: ['user: go', 'root: QUIET', 'user: again', 'root: SILENT'],
      asked: [['user: go'], ['user: go', 'model: QUIET', 'user: again']],
    },
  },
  {
    name: 'plugin_before_model',
    says: 'lets a plugin answer in the place of the model, for any agent of the tree (B21)',
    source: withPlugin(
      `
  beforeModelCallback({ callbackContext, llmRequest }) {
    return callbackContext.agentName === 'two' ? says('Cached: ' + llmRequest.contents.length) : undefined;
  }`,
      `new SequentialAgent({
        name: 'flow',
        subAgents: [agent('one', [says('1')]), agent('two', [says('never')], { afterModelCallback: () => says('never') })],
      })`,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['one: 1', 'two: Cached: 2']] },
  },
  {
    name: 'plugin_after_model',
    says: 'takes the answer of a plugin instead of that of the model, and asks no callback of the agent (B21)',
    source: withPlugin(
      `
  afterModelCallback({ llmResponse }) {
    return says('<' + llmResponse.content.parts[0].text + '>');
  }`,
      `agent('root', [says('a')], { afterModelCallback: () => says('never') })`,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: <a>']] },
  },
  {
    name: 'plugin_model_error',
    says: 'asks the plugin about a model that failed before the agent (B23)',
    source: appFile(
      `rootAgent: agent('root', undefined, {
        model: new Broken({ model: 'broken' }),
        onModelErrorCallback: () => says('From the agent.'),
      }),
      plugins: [new Probe('probe')]`,
      `
class Broken extends BaseLlm {
  async *generateContentAsync() { throw new Error('down'); }
}
class Probe extends BasePlugin {
  onModelErrorCallback({ error, llmRequest }) {
    return llmRequest.contents.length === 1 ? says('From the plugin: ' + error.message) : undefined;
  }
}`,
    ),
    steps: [{ say: 'go' }, { say: 'go' }],
    expect: { turns: [['root: From the plugin: down'], ['root: From the agent.']] },
  },
  {
    name: 'plugin_tools',
    says: 'lets a plugin answer, change and mend calls before the agent may (B27, B28)',
    source: withPlugin(
      `
  beforeToolCallback({ tool, toolArgs }) {
    if (tool.name === 'a') return { by: 'plugin' };
    toolArgs.n = 2;
  }
  afterToolCallback({ tool, result }) {
    return tool.name === 'b' ? { ...result, checked: true } : undefined;
  }
  onToolErrorCallback({ tool, error, toolContext }) {
    toolContext.state.set('mended', tool.name);
    return { mended: error.message };
  }`,
      `agent('root', [says(calls('a'), calls('b', { n: 1 }), calls('c')), says('Done.')], {
        tools: [
          tool('a', () => 'never'),
          tool('b', ({ n }) => n),
          tool('c', () => { throw new Error('broken'); }),
        ],
        beforeToolCallback: ({ tool }) => (tool.name === 'a' ? { by: 'agent' } : undefined),
        afterToolCallback: ({ tool }) => (tool.name === 'b' ? { by: 'agent' } : undefined),
        onToolErrorCallback: () => ({ by: 'agent' }),
      })`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: a({}) + b({"n":1}) + c({})',
          'root: a -> {"by":"plugin"} + b -> {"result":2,"checked":true} + c -> {"mended":"broken"} [state {"mended":"c"}]',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'plugin_order',
    says: 'asks plugins in the order of their author until one answers (B21)',
    source: appFile(
      `rootAgent: agent('root', [says('a')]),
       plugins: [new Adds('one', undefined), new Adds('two', '2'), new Adds('three', '3')]`,
      `
class Adds extends BasePlugin {
  constructor(name, text) { super(name); this.text = text; }
  afterAgentCallback({ callbackContext }) {
    callbackContext.state.set(this.name, true);
    return this.text && spoken(this.text);
  }
}`,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: a', 'root: 2 [state {"one":true,"two":true}]']] },
  },
  {
    name: 'plugin_throws',
    says: 'fails the turn with the name of the plugin and the hook when a plugin throws (B53)',
    source: withPlugin(
      `
  beforeModelCallback({ llmRequest }) {
    if (llmRequest.contents.length === 1) throw new Error('out of order');
  }`,
      `agent('root', [says('Hello.')])`,
    ),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [
        [`failed plugin.failed: Error in plugin 'probe' during 'beforeModelCallback' callback: out of order`],
        ['root: Hello.'],
      ],
      stored: ['user: go', 'root: [error plugin.failed]', 'user: again', 'root: Hello.'],
    },
  },
  {
    name: 'plugin_told_of_errors',
    says: 'tells plugins of an agent and of a run that failed, and takes no answer (B52)',
    source: withPlugin(
      `
  async onAgentErrorCallback({ agent, callbackContext, error }) {
    await callbackContext.saveArtifact('agent-error', { text: agent.name + ' ' + error.message });
    return spoken('never');
  }
  async onRunErrorCallback({ invocationContext, error }) {
    const { appName, userId, id: sessionId } = invocationContext.session;
    const artifact = { text: error.message };
    await invocationContext.artifactService.saveArtifact({ appName, userId, sessionId, filename: 'run-error', artifact });
    return spoken('never');
  }`,
      `agent('root', [says('Hello.')], {
        beforeModelCallback: ({ request }) => { if (request.contents.length === 1) throw new Error('bad day'); },
        afterAgentCallback: async (context) => {
          const texts = await Promise.all(['agent-error', 'run-error'].map((name) => context.loadArtifact(name)));
          return spoken(texts.map(({ text }) => text).join(' | '));
        },
      })`,
    ),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['failed Error: bad day'], ['root: Hello.', 'root: root bad day | bad day']],
    },
  },
];
