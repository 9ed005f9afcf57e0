import { type SeedGroup } from './seed-item';

/** What Elixir and OTP give the design documents, and what gives it here. */
export const platform: SeedGroup = {
  title: 'Platform',
  items: [
    {
      item: 'behaviours and structs (BaseAgent, Toolset, Service): abstract classes',
      named: '000, 002',
      file: 'libs/engine/src/agent/base-agent.ts',
      symbol: 'BaseAgent',
      test: [
        'libs/agent-loader/src/agent-loader.spec.ts',
        'gives agent files the very classes the services use',
      ],
    },
    {
      item: 'Stream.resource/3, Enumerable: async generators, lazy',
      named: '000, 002',
      file: 'libs/engine/src/runner/runner.ts',
      symbol: 'AsyncGenerator',
      test: ['libs/engine/src/runner/runner.spec.ts', 'shows an event only after it is stored'],
    },
    {
      item: 'defstruct and @type, @enforce_keys (Pydantic models): zod schemas and their types',
      named: '000, 002',
      file: 'libs/contracts/src/event.ts',
      symbol: 'looseObject',
      test: ['libs/engine/src/flow/read-answer.spec.ts', 'refuses %s, and says where'],
    },
    {
      item: 'dynamic dispatch through the struct of an agent, a tool, a model: methods, also over copies of the package',
      named: '000, 002',
      file: 'libs/engine/src/agent/base-agent.ts',
      symbol: 'isBaseAgent',
      test: [
        'libs/agent-loader/src/agent-loader.spec.ts',
        'gives agent files the very classes the services use',
      ],
    },
    {
      item: 'GenServer: writes in order, reads at the same time',
      named: '000, 002',
      file: 'libs/session-client/src/append-pipeline.ts',
      symbol: 'AppendPipeline',
      test: ['libs/session-client/src/append-pipeline.spec.ts', 'and numbers them in the order of staging'],
    },
    {
      item: 'Task.async and Task.await_many: agents side by side in one process',
      named: '000, 002',
      file: 'libs/engine/src/agent/merge-streams.ts',
      symbol: 'mergeStreams',
      test: ['libs/engine/src/agent/workflow-agents.spec.ts', 'B43'],
    },
    {
      item: 'agents as processes: a tool that fails does not bring down its agent',
      named: '003',
      file: 'apps/tool-worker/src/calls/execute-tool.ts',
      test: ['test/integration/tool-worker.spec.ts', 'goes on after a tool left a rejected promise behind'],
    },
    {
      item: 'agents as processes: what crashes is started again and goes on',
      named: '003',
      file: 'tools/stack/src/supervisor.ts',
      symbol: 'Supervisor',
      test: [
        'test/integration/runner-crash.spec.ts',
        'without asking the model again or running the tool again',
      ],
    },
    {
      item: 'agents as processes: real concurrency',
      named: '003',
      file: 'apps/tool-worker/src/calls/tool-call.consumer.ts',
      symbol: 'ToolCallConsumer',
      test: [
        'test/integration/tool-worker.spec.ts',
        'runs the tools of the agents folder and says which process it was',
      ],
    },
  ],
};
