import { type SeedGroup } from './seed-item';

const baseAgentSpec = 'libs/engine/src/agent/base-agent.spec.ts';
const callModelSpec = 'libs/engine/src/flow/call-model.spec.ts';
const roundSpec = 'libs/engine/src/flow/run-tool-round.spec.ts';
const callbacks = 'libs/engine/src/agent/callbacks.ts';
const plugin = 'libs/engine/src/plugin';
const managerSpec = `${plugin}/plugin-manager.spec.ts`;

/** The six callbacks of an agent and the hooks of plugins. */
export const callbacksAndPlugins: SeedGroup = {
  title: 'Callbacks and plugins',
  items: [
    {
      item: 'before_agent: a content skips the agent',
      named: '000, 002, 004',
      file: callbacks,
      symbol: 'AgentCallback',
      test: [baseAgentSpec, 'before_agent that says something takes the place of the agent'],
    },
    {
      item: 'after_agent: a content replaces the output',
      named: '000, 002, 004',
      file: callbacks,
      symbol: 'AgentCallback',
      departure: 'after-agent',
      test: [baseAgentSpec, 'after_agent adds an event to those of the agent'],
    },
    {
      item: 'before_model: a response skips the model',
      named: '000, 002, 004',
      file: callbacks,
      symbol: 'BeforeModelCallback',
      test: [callModelSpec, 'is skipped, with after_model, when before_model answers (B21)'],
    },
    {
      item: 'after_model: a response replaces',
      named: '000, 002, 004',
      file: callbacks,
      symbol: 'AfterModelCallback',
      test: [callModelSpec, 'shows after_model every piece, and takes what it answers instead (B21)'],
    },
    {
      item: 'before_tool: a map skips the tool',
      named: '000, 002, 004',
      file: callbacks,
      symbol: 'BeforeToolCallback',
      test: [roundSpec, 'is answered by before_tool without the tool'],
    },
    {
      item: 'after_tool: a map replaces the result',
      named: '000, 002, 004',
      file: callbacks,
      symbol: 'AfterToolCallback',
      test: [roundSpec, 'after_tool'],
    },
    {
      item: 'several callbacks of one kind: the first answer counts',
      named: '000, 004',
      file: callbacks,
      symbol: 'firstAnswer',
      test: [callModelSpec, 'asks callbacks in order until one answers'],
    },
    {
      item: 'what callbacks are for: caching, logging, validation, transformation',
      named: '004',
      file: callbacks,
      fields: {
        caching: 'BeforeModelCallback',
        logging: 'AfterModelCallback',
        validation: 'BeforeToolCallback',
        transformation: 'AfterToolCallback',
      },
      test: [
        'test/conformance/cases/callbacks.cases.ts',
        'calls the six callbacks in order around the model and its tools',
      ],
    },
    {
      item: 'the order of execution around agent, model and tool; errors propagate',
      named: '004',
      file: 'libs/engine/src/agent/run-with-callbacks.ts',
      symbol: 'runWithCallbacks',
      test: [
        'test/conformance/cases/callbacks.cases.ts',
        'calls the six callbacks in order around the model and its tools',
      ],
    },
    {
      item: 'ADK.Plugin, new/1, 12 callback fields',
      named: '000, 002',
      file: `${plugin}/base-plugin.ts`,
      symbol: 'BasePlugin',
      fields: {
        on_user_message: 'onUserMessageCallback',
        before_run: 'beforeRunCallback',
        after_run: 'afterRunCallback',
        on_event: 'onEventCallback',
        before_agent: 'beforeAgentCallback',
        after_agent: 'afterAgentCallback',
        before_model: 'beforeModelCallback',
        after_model: 'afterModelCallback',
        on_model_error: 'onModelErrorCallback',
        before_tool: 'beforeToolCallback',
        after_tool: 'afterToolCallback',
        on_tool_error: 'onToolErrorCallback',
      },
      test: [managerSpec, 'B53'],
    },
    {
      item: 'ADK.Plugin.Manager: chains plugins, the first answer wins, works without plugins',
      named: '000, 002',
      file: `${plugin}/plugin-manager.ts`,
      symbol: 'PluginManager',
      fields: { 'run_*': 'first', notification: 'notifyEnd' },
      test: [managerSpec, 'B21'],
    },
    {
      item: 'plugins are asked before the callbacks of the agent, which an answer skips',
      named: '000, 002',
      file: 'libs/engine/src/agent/run-with-callbacks.ts',
      symbol: 'plugins',
      test: [`${plugin}/plugin-agent-hooks.spec.ts`, 'is plugins first, then the callbacks of the agent'],
    },
    {
      item: 'on_user_message may change what the user said',
      named: '000, 002',
      file: 'libs/engine/src/runner/create-user-event.ts',
      symbol: 'onUserMessageCallback',
      test: [`${plugin}/plugin-run-hooks.spec.ts`, 'B48'],
    },
    {
      item: 'before_run may stand for the whole run',
      named: '000, 002',
      file: 'libs/engine/src/runner/run-before-run.ts',
      symbol: 'beforeRunCallback',
      test: [`${plugin}/plugin-run-hooks.spec.ts`, 'B51'],
    },
    {
      item: 'after_run is only told',
      named: '000, 002',
      file: `${plugin}/plugin-manager.ts`,
      symbol: 'afterRunCallback',
      test: [`${plugin}/plugin-run-hooks.spec.ts`, 'B52'],
    },
    {
      item: 'on_event may change each event',
      named: '000, 002',
      file: `${plugin}/plugin-manager.ts`,
      symbol: 'onEventCallback',
      test: [`${plugin}/plugin-run-hooks.spec.ts`, 'B50'],
    },
  ],
};
