import { type SeedGroup } from './seed-item';

const folder = 'libs/engine/src/runner';
const runnerSpec = `${folder}/runner.spec.ts`;

/** ADK.Runner and what starts it. */
export const runner: SeedGroup = {
  title: 'Runner and facade',
  items: [
    {
      item: 'ADK.Runner.run/5',
      named: '000, 002',
      file: `${folder}/runner.ts`,
      symbol: 'Runner',
      fields: { run: 'runAsync', agent: 'agent', app_name: 'appName' },
      test: [runnerSpec, 'shows pieces and the answer, and stores the message and the answer'],
    },
    {
      item: 'ADK.Runner: session_module and session_service, pluggable session storage',
      named: '000, 001, 002',
      file: `${folder}/runner.ts`,
      symbol: 'sessionService',
      test: ['test/conformance/in-one-process.spec.ts', 'in one process'],
    },
    {
      item: 'ADK.Runner: plugins',
      named: '000, 002',
      file: 'libs/engine/src/app/app.ts',
      symbol: 'plugins',
      test: ['libs/engine/src/plugin/plugin-run-hooks.spec.ts', 'B48'],
    },
    {
      item: 'gets or creates the session',
      named: '000, 002, 003',
      file: `${folder}/runner.ts`,
      symbol: 'autoCreateSession',
      departure: 'missing-session',
      test: [runnerSpec, 'refuses a session that is not there, unless it may make one'],
    },
    {
      item: 'appends the event of the user message',
      named: '000, 002',
      file: `${folder}/create-user-event.ts`,
      symbol: 'createUserEvent',
      test: [`${folder}/run-invocation.spec.ts`, 'the user event is stored first'],
    },
    {
      item: 'commits events that are not partial, then yields them',
      named: '000, 002',
      file: `${folder}/runner.ts`,
      symbol: 'stored',
      test: [runnerSpec, 'shows an event only after it is stored (B64)'],
    },
    {
      item: 'ADK.RunConfig',
      named: '000, 002, 004',
      file: 'libs/contracts/src/run-config.ts',
      symbol: 'runConfigSchema',
      fields: { streaming_mode: 'streamingMode', save_blobs: 'saveInputBlobsAsArtifacts' },
      test: [`${folder}/save-input-blobs.spec.ts`, 'become artifacts, and the model is told their names'],
    },
    {
      item: 'ADK, the facade: new, run, chat; top-level module adk.ex',
      named: '000, 003',
      file: 'libs/adk/src/index.ts',
      fields: { new: 'LlmAgent', run: 'Runner', chat: 'InMemoryRunner' },
      test: [
        'libs/agent-loader/src/agent-loader.spec.ts',
        'gives agent files the very classes the services use',
      ],
    },
    {
      item: 'application.ex starts the session service',
      named: '000',
      file: 'tools/stack/src/start-stack.ts',
      symbol: 'startStack',
      test: ['tools/stack/test/stack.integration.spec.ts', 'start'],
    },
    {
      item: 'layers: facade, runner, agents, tools and model and session',
      named: '003',
      file: '.dependency-cruiser.cjs',
      symbol: 'MAY_IMPORT',
      test: ['.ci/run', 'deps'],
    },
    { item: 'A2A, a separate package (a2a_ex, a2a_ex_examples)', named: '002', departure: 'a2a' },
  ],
};
