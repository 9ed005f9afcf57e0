import { appFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const FLAKY = `
const flaky = (succeeds) => tool('flaky', ({ n }) => {
  if (n < succeeds) throw new Error('n is too small');
  return n;
});
const short = ({ response }) =>
  response.reflection_guidance ? { type: response.response_type, retry: response.retry_count } : undefined;`;

const HANDLED = 'ERROR_HANDLED_BY_REFLECT_AND_RETRY_PLUGIN';

/** The plugins that come with the product. */
export const builtInPluginCases: readonly ConformanceCase[] = [
  {
    name: 'logging_plugin',
    says: 'changes nothing by logging (B50)',
    source: appFile(
      `rootAgent: agent('root', [says(calls('f')), says('Done.')], { tools: [tool('f', () => 1)] }), plugins: [new LoggingPlugin()]`,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['root: f({})', 'root: f -> {"result":1}', 'root: Done.']] },
  },
  {
    name: 'global_instruction_plugin',
    says: 'opens the instruction of every agent with that of the plugin (B59)',
    state: { tone: 'kind' },
    source: appFile(
      `rootAgent: new SequentialAgent({
        name: 'flow',
        subAgents: [agent('one', [says('1')], { instruction: 'Begin.' }), agent('two', [says('2')])],
      }),
      plugins: [new GlobalInstructionPlugin('Be {tone}.')]`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['one: 1', 'two: 2']],
      instructions: [
        'Be kind.\n\nBegin.\n\nYou are an agent. Your internal name is "one".',
        'Be kind.\n\nYou are an agent. Your internal name is "two".',
      ],
    },
  },
  {
    name: 'context_filter_plugin',
    says: 'shows the model the last invocations only, with their calls, and leaves the history as it is (B2)',
    source: appFile(
      `rootAgent: agent('root', [says('One.'), says(calls('f')), says('Two.'), says('Three.')], { tools: [tool('f', () => 1)] }),
       plugins: [new ContextFilterPlugin({ numInvocationsToKeep: 2 })]`,
    ),
    steps: [{ say: 'first' }, { say: 'second' }, { say: 'third' }],
    expect: {
      turns: [['root: One.'], ['root: f({})', 'root: f -> {"result":1}', 'root: Two.'], ['root: Three.']],
      asked: [
        ['user: first'],
        ['user: first', 'model: One.', 'user: second'],
        ['user: first', 'model: One.', 'user: second', 'model: f({})', 'user: f -> {"result":1}'],
        ['user: second', 'model: f({})', 'user: f -> {"result":1}', 'model: Two.', 'user: third'],
      ],
    },
  },
  {
    name: 'retry_plugin',
    says: 'tells the model how to mend a failed call, and counts anew once it went well (B28)',
    source: appFile(
      `rootAgent: agent('root', [
        says(calls('flaky', { n: 1 })), says(calls('flaky', { n: 2 })), says(calls('flaky', { n: 3 })),
        says(calls('flaky', { n: 0 })), says('Done.'),
      ], { tools: [flaky(3)] }),
      plugins: [new ReflectAndRetryToolPlugin({ maxRetries: 2 }), new Shortens('shortens')]`,
      `${FLAKY}
class Shortens extends BasePlugin {
  afterToolCallback({ result }) { return short({ response: result }); }
}`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: flaky({"n":1})',
          `root: flaky -> {"type":"${HANDLED}","retry":1}`,
          'root: flaky({"n":2})',
          `root: flaky -> {"type":"${HANDLED}","retry":2}`,
          'root: flaky({"n":3})',
          'root: flaky -> {"result":3}',
          'root: flaky({"n":0})',
          `root: flaky -> {"type":"${HANDLED}","retry":1}`,
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'retry_plugin_exceeded',
    says: 'fails the turn when the retries of a tool are used up (B28)',
    source: appFile(
      `rootAgent: agent('root', [says(calls('flaky', { n: 1 })), says(calls('flaky', { n: 2 })), says('never')], {
        tools: [flaky(3)], afterToolCallback: short,
      }),
      plugins: [new ReflectAndRetryToolPlugin({ maxRetries: 1 })]`,
      FLAKY,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          `failed plugin.failed: Error in plugin 'reflect_retry_tool_plugin' during 'onToolErrorCallback' callback: n is too small`,
        ],
      ],
    },
  },
  {
    name: 'retry_plugin_gives_up',
    says: 'tells the model to do without a tool whose retries are used up (B28)',
    source: appFile(
      `rootAgent: agent('root', [says(calls('ghost')), says(calls('ghost')), says('I do without.')], { afterToolCallback: short }),
       plugins: [new ReflectAndRetryToolPlugin({ maxRetries: 1, throwExceptionIfRetryExceeded: false })]`,
      FLAKY,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: ghost({})',
          `root: ghost -> {"type":"${HANDLED}","retry":1}`,
          'root: ghost({})',
          `root: ghost -> {"type":"${HANDLED}","retry":1}`,
          'root: I do without.',
        ],
      ],
    },
  },
];
