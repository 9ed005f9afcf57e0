import { type SeedGroup } from './seed-item';

const engine = 'libs/engine/src';
const sessionContract = 'libs/testing/src/contracts/session-service.contract.ts';
const artifactContract = 'libs/testing/src/contracts/artifact-service.contract.ts';
const memoryContract = 'libs/testing/src/contracts/memory-service.contract.ts';
const contextSpec = `${engine}/agent/context.spec.ts`;

/** The areas of tests that the documents count. */
export const testAreas: SeedGroup = {
  title: 'Areas of tests',
  items: [
    {
      item: 'phase 1: Types',
      named: '000, 002',
      test: ['test/integration/session-store-events.spec.ts', 'for any event'],
    },
    { item: 'phase 1: Event', named: '000, 002', test: [`${engine}/event/is-final-response.spec.ts`, 'B16'] },
    {
      item: 'phase 1: Session',
      named: '000, 002',
      test: [sessionContract, 'makes an id when none is given'],
    },
    {
      item: 'phase 1: State',
      named: '000, 002',
      test: [`${engine}/state/state-scope.spec.ts`, 'hold every key once'],
    },
    {
      item: 'phase 1: InMemory sessions',
      named: '000, 002',
      test: [sessionContract, 'deletes a session with its own state'],
    },
    {
      item: 'phase 1: Agent',
      named: '000, 002',
      test: [`${engine}/agent/base-agent.spec.ts`, "an author's own agent"],
    },
    {
      item: 'phase 1: CustomAgent',
      named: '000, 002',
      test: ['test/conformance/cases/agents.cases.ts', 'runs an agent that is a function'],
    },
    {
      item: 'phase 1: Tree',
      named: '000, 002',
      test: [`${engine}/agent/agent-tree.spec.ts`, 'B45'],
    },
    {
      item: 'phase 2: LlmRequest',
      named: '000',
      test: [`${engine}/flow/llm-flow.spec.ts`, 'tells each request whose it is'],
    },
    {
      item: 'phase 2: LlmResponse',
      named: '000',
      test: [`${engine}/flow/read-answer.spec.ts`, 'keeps what it knows'],
    },
    {
      item: 'phase 2: Mock',
      named: '000',
      test: ['libs/models/src/scripted/scripted-llm.model.spec.ts', 'SCRIPT_EXHAUSTED when it runs out'],
    },
    {
      item: 'phase 2: FunctionTool',
      named: '000',
      test: [`${engine}/flow/run-tool-round.spec.ts`, 'without its mandatory arguments is refused'],
    },
    { item: 'phase 2: ToolContext', named: '000', test: [contextSpec, 'ends with its tool round'] },
    {
      item: 'phase 2: Instructions processor',
      named: '000',
      test: [`${engine}/flow/processors/instructions.spec.ts`, 'B59'],
    },
    {
      item: 'phase 2: Contents processor',
      named: '000',
      test: [`${engine}/flow/contents/select-events.spec.ts`, 'B2'],
    },
    { item: 'phase 2: Flow', named: '000', test: [`${engine}/flow/llm-flow.spec.ts`, 'B15'] },
    {
      item: 'phase 2: LlmAgent',
      named: '000',
      test: [`${engine}/agent/llm-agent.spec.ts`, 'has the defaults of the reference'],
    },
    {
      item: 'phase 2: Runner',
      named: '000',
      test: [`${engine}/runner/runner.spec.ts`, 'shows pieces and the answer'],
    },
    {
      item: 'phase 3: LoopAgent',
      named: '000',
      test: [`${engine}/agent/workflow-agents.spec.ts`, 'B42'],
    },
    {
      item: 'phase 3: SequentialAgent',
      named: '000',
      test: [`${engine}/agent/workflow-agents.spec.ts`, 'B41'],
    },
    {
      item: 'phase 3: ParallelAgent',
      named: '000',
      test: [`${engine}/agent/workflow-agents.spec.ts`, 'B43'],
    },
    {
      item: 'phase 3: TransferToAgent',
      named: '000',
      test: [`${engine}/flow/transfer-target.spec.ts`, 'B37'],
    },
    {
      item: 'phase 3: AgentTransfer processor',
      named: '000',
      test: [`${engine}/flow/transfer-target.spec.ts`, 'names the agents to choose from'],
    },
    {
      item: 'phase 3: several agents together',
      named: '000, 004',
      test: ['test/conformance/cases/transfer.cases.ts', 'hands over to a child'],
    },
    { item: 'phase 4: Memory InMemory', named: '000', test: [memoryContract, 'B61'] },
    {
      item: 'phase 4: Artifact InMemory',
      named: '000',
      test: [artifactContract, 'deletes every version of a name'],
    },
    {
      item: 'phase 4: helpers of contexts',
      named: '000',
      test: [contextSpec, 'saves, loads and lists artifacts'],
    },
    {
      item: 'phase 4: LoadMemory',
      named: '000',
      test: [`${engine}/tool/memory-tools.spec.ts`, 'B61'],
    },
    {
      item: 'phase 4: LoadArtifacts',
      named: '000',
      test: [`${engine}/tool/load-artifacts-tool.spec.ts`, 'artifact'],
    },
    {
      item: 'phase 4: Telemetry',
      named: '000',
      test: [`${engine}/telemetry/spans.spec.ts`, 'B62'],
    },
    {
      item: 'phase 5: Plugin Manager',
      named: '000',
      test: [`${engine}/plugin/plugin-manager.spec.ts`, 'B53'],
    },
    {
      item: 'phase 5: Toolset',
      named: '000',
      test: [`${engine}/tool/base-toolset.spec.ts`, 'is asked at the same time as the others'],
    },
    {
      item: 'phase 5: SessionService of adk_ex_ecto',
      named: '000, 001',
      test: ['test/integration/session-svc.spec.ts', 'creates, gets, lists and deletes sessions'],
    },
    {
      item: 'unit tests: each processor on its own',
      named: '004',
      test: [`${engine}/flow/processors/instructions.spec.ts`, 'B59'],
    },
    {
      item: 'unit tests: order of callbacks',
      named: '004',
      test: [`${engine}/flow/run-tool-round.spec.ts`, 'in this order (B27)'],
    },
    {
      item: 'unit tests: template variables',
      named: '004',
      test: [`${engine}/flow/fill-template.spec.ts`, 'makes %j into %j'],
    },
    { item: 'unit tests: state deltas applied', named: '004', test: [sessionContract, 'folds their state'] },
    {
      item: 'integration: multi-turn conversation',
      named: '004',
      test: ['test/integration/main-job.spec.ts', 'answers each turn'],
    },
    {
      item: 'integration: tools with callbacks',
      named: '004',
      test: [
        'test/conformance/cases/callbacks.cases.ts',
        'calls the six callbacks in order around the model and its tools',
      ],
    },
    {
      item: 'integration: agent transfer',
      named: '004',
      test: ['test/conformance/cases/transfer.cases.ts', 'hands over to a child'],
    },
    {
      item: 'integration: streaming',
      named: '004',
      test: ['test/integration/gateway.spec.ts', 'streams each frame as one network chunk'],
    },
    {
      item: 'quick commands: clean build',
      named: '002',
      file: 'package.json',
      symbol: 'build',
      test: ['.ci/run', 'test'],
    },
    {
      item: 'quick commands: interactive shell',
      named: '002',
      file: 'tools/chat/src/conversation.ts',
      test: ['tools/chat/src/conversation.spec.ts', 'sends one message a line'],
    },
    {
      item: 'live tests: gemini_test, claude_test, OpenAI; real API',
      named: '000, 002, 004',
      departure: 'live-tests',
    },
    {
      item: 'gate: mix test',
      named: '000, 002',
      file: 'package.json',
      symbol: 'test',
      test: ['.ci/run', 'test'],
    },
    {
      item: 'gate: mix credo',
      named: '000, 001, 002',
      file: 'package.json',
      symbol: 'lint',
      test: ['.ci/run', 'lint'],
    },
    {
      item: 'gate: mix dialyzer',
      named: '000, 001, 002',
      file: 'package.json',
      symbol: 'typecheck',
      test: ['.ci/run', 'types'],
    },
  ],
};
