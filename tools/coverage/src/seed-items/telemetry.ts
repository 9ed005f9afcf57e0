import { type SeedGroup } from './seed-item';

const spec = 'libs/engine/src/telemetry/spans.spec.ts';
const operationsSpec = 'libs/engine/src/telemetry/operations.spec.ts';

/** ADK.Telemetry: spans, and events beside them. */
export const telemetry: SeedGroup = {
  title: 'Telemetry',
  items: [
    {
      item: 'ADK.Telemetry: OpenTelemetry spans',
      named: '000, 002',
      file: 'libs/engine/src/telemetry/trace.ts',
      fields: { spans: 'traced', streams: 'traceGenerator' },
      test: ['test/integration/trace.spec.ts', 'holds spans of four services under one trace id'],
    },
    {
      item: 'span_llm_call/2: call_llm',
      named: '000',
      file: 'libs/engine/src/telemetry/model-attributes.ts',
      symbol: 'modelCallAttributes',
      fields: {
        'gen_ai.system': 'gen_ai.system',
        'gen_ai.request.model': 'gen_ai.request.model',
        'gcp.vertex.agent.invocation_id': 'gcp.vertex.agent.invocation_id',
        'gcp.vertex.agent.session_id': 'gcp.vertex.agent.session_id',
      },
      test: [spec, 'say whose they are and what they cost'],
    },
    {
      item: 'span_llm_call/2: gen_ai.operation.name, on the span within that is the call of the provider',
      named: '000',
      file: 'libs/engine/src/flow/call-model.ts',
      symbol: 'call_llm',
      fields: { 'gen_ai.operation.name': 'gen_ai.operation.name' },
      test: [spec, 'say whose they are and what they cost'],
    },
    {
      item: 'span_tool_call/2: execute_tool and the name',
      named: '000',
      file: 'libs/engine/src/flow/answer-call.ts',
      symbol: 'execute_tool',
      fields: {
        'gen_ai.operation.name': 'gen_ai.operation.name',
        'gen_ai.tool.name': 'gen_ai.tool.name',
        'gen_ai.tool.call.id': 'gen_ai.tool.call.id',
      },
      test: [spec, 'say whose they are and what they cost'],
    },
    {
      item: 'span_merged_tools/1: execute_tool (merged)',
      named: '000',
      file: 'libs/engine/src/flow/run-tool-round.ts',
      symbol: 'traceMerged',
      test: [spec, 'are those of ADK, one below the other'],
    },
    {
      item: 'events [:adk_ex, :llm], start, stop and exception',
      named: '000, 002',
      file: 'libs/engine/src/telemetry/operations.ts',
      symbol: 'llm',
      fields: { start: 'start', stop: 'stop', exception: 'exception' },
      departure: 'telemetry-events',
      test: [operationsSpec, 'tell an exception in the place of the stop'],
    },
    {
      item: 'events [:adk_ex, :tool], start, stop and exception',
      named: '000, 002',
      file: 'libs/engine/src/telemetry/operations.ts',
      symbol: 'tool',
      fields: { start: 'start', stop: 'stop', exception: 'exception' },
      departure: 'telemetry-events',
      test: [operationsSpec, 'tell the start and the stop of agents, model calls and tools'],
    },
  ],
};
