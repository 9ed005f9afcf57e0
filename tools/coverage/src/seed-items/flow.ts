import { type SeedGroup } from './seed-item';

const folder = 'libs/engine/src/flow';
const flowSpec = `${folder}/llm-flow.spec.ts`;
const roundSpec = `${folder}/run-tool-round.spec.ts`;

/** ADK.Flow of the Elixir ADK, base_flow.go of the Go one. */
export const flow: SeedGroup = {
  title: 'Flow',
  items: [
    {
      item: 'ADK.Flow.run/2, Flow.Run(): the outer loop, multi-turn',
      named: '000, 002, 004',
      file: `${folder}/llm-flow.ts`,
      symbol: 'runLlmFlow',
      test: [flowSpec, 'asks again after tools answered, until an event is final (B15)'],
    },
    {
      item: 'compared features: basic generation, instructions, function calling, tool execution, conversation history',
      named: '004',
      file: `${folder}/llm-flow.ts`,
      fields: {
        generation: 'callModel',
        'function calling': 'hasFunctionCalls',
        'tool execution': 'runToolRound',
      },
      test: [
        'test/integration/main-job.spec.ts',
        'answers each turn with the call, its response and the final text',
      ],
    },
    {
      item: 'Flow struct',
      named: '004',
      file: 'libs/engine/src/agent/llm-agent.ts',
      fields: {
        Model: 'canonicalModel',
        RequestProcessors: 'requestProcessors',
        ResponseProcessors: 'responseProcessors',
        callbacks: 'callbacks',
      },
      test: [`${folder}/request-processors.spec.ts`, 'B24'],
    },
    {
      item: 'run_one_step, runOneStep(): one round',
      named: '000, 004',
      file: `${folder}/llm-flow.ts`,
      symbol: 'runRound',
      fields: { preprocess: 'requestProcessors', callLLM: 'callModel', handleFunctionCalls: 'runToolRound' },
      test: [flowSpec, 'asks again after tools answered'],
    },
    {
      item: 'postprocess(): response processors',
      named: '004',
      file: `${folder}/process-response.ts`,
      symbol: 'processResponse',
      test: [
        `${folder}/request-processors.spec.ts`,
        'takes a step of the author between an answer and its event',
      ],
    },
    {
      item: 'flow state machine: a final response ends it, calls make another round',
      named: '000',
      file: `${folder}/llm-flow.ts`,
      symbol: 'isFinalResponse',
      test: [flowSpec, 'until an event is final (B15)'],
    },
    {
      item: 'at most 25 iterations, then an error event',
      named: '000, 004',
      file: `${folder}/llm-flow.ts`,
      symbol: 'MAX_ITERATIONS',
      departure: 'flow-limit',
      test: [flowSpec, 'ends the turn with an event that names its limit of rounds'],
    },
    {
      item: 'toolsets are resolved before the request; errors are logged and do no harm',
      named: '000, 002',
      file: `${folder}/resolve-tools.ts`,
      symbol: 'resolveTools',
      test: ['libs/engine/src/tool/base-toolset.spec.ts', 'is told of and left out'],
    },
    {
      item: 'callLLM: callbacks around Model.generate_content/3',
      named: '000, 002, 004',
      file: `${folder}/call-model.ts`,
      symbol: 'callModel',
      test: [`${folder}/call-model.spec.ts`, 'is skipped, with after_model, when before_model answers (B21)'],
    },
    {
      item: 'handleFunctionCalls: find the tool, context with the call id, callbacks, response event',
      named: '000, 002, 004',
      file: `${folder}/answer-call.ts`,
      symbol: 'answerCall',
      fields: { 'find tool by name': 'findTool', ToolContext: 'Context' },
      test: [roundSpec, 'passes before_tool, the tool, after_tool, in this order (B27)'],
    },
    {
      item: 'mergeParallelFunctionResponseEvents',
      named: '004',
      file: `${folder}/merge-responses.ts`,
      symbol: 'mergeResponses',
      test: [roundSpec, 'merge what they did'],
    },
    {
      item: 'tools are run one after another; they could run in parallel',
      named: '000, 004',
      file: `${folder}/run-tool-round.ts`,
      symbol: 'runToolRound',
      departure: 'tools-at-once',
      test: [roundSpec, 'run at the same time and are answered in call order'],
    },
    {
      item: 'a tool that raises: the model reads an error, an agent does not crash',
      named: '000, 003',
      file: `${folder}/answer-call.ts`,
      symbol: 'toolErrors',
      departure: 'tool-errors',
      test: ['test/integration/hostile-tools.spec.ts', 'and the session goes on'],
    },
    {
      item: 'maybe_set_transfer, maybe_run_transfer: a transfer in the actions runs the target',
      named: '002, 004',
      file: `${folder}/llm-flow.ts`,
      symbol: 'transferToAgent',
      test: [`${folder}/transfer-target.spec.ts`, 'B37'],
    },
    {
      item: 'OutputKey, maybeSaveOutputToState: text of the final response into state_delta',
      named: '000, 002, 004',
      file: `${folder}/keep-output.ts`,
      symbol: 'outputKey',
      test: [`${folder}/keep-output.spec.ts`, 'B44'],
    },
    {
      item: 'two streaming modes',
      named: '004',
      file: 'libs/contracts/src/run-config.ts',
      symbol: 'streamingMode',
      fields: { sse: 'sse', 'non-streaming': 'none' },
      test: ['test/integration/main-job.spec.ts', 'streams the text token by token'],
    },
    {
      item: 'partial events: not stored, no tools, no output saved',
      named: '000, 001, 004',
      file: `${folder}/llm-flow.ts`,
      symbol: 'partial',
      test: [flowSpec, 'neither runs the calls of a partial event nor stores it (B19)'],
    },
    {
      item: 'streaming: chunks are aggregated, events yielded at once',
      named: '004',
      file: 'libs/engine/src/model/stream-aggregator.ts',
      symbol: 'aggregateStream',
      test: [
        'libs/models/src/gemini/gemini.model.spec.ts',
        'gives chunks as partial answers, then the whole answer (B17)',
      ],
    },
    {
      item: 'streaming: the token limit is told',
      named: '004',
      file: `${folder}/model-event.ts`,
      symbol: 'finishReason',
      test: [flowSpec, 'tells that an answer was cut at its limit of tokens'],
    },
  ],
};
