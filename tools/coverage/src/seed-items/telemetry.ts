import { type SeedGroup } from './seed-item';

const spec = 'libs/engine/src/telemetry/spans.spec.ts';

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
      file: 'libs/engine/src/flow/call-model.ts',
      symbol: 'call_llm',
      fields: {
        'gen_ai.system': 'gen_ai.system',
        'gen_ai.request.model': 'gen_ai.request.model',
        'gen_ai.operation.name': 'gen_ai.operation.name',
        'gcp.vertex.agent.invocation_id': 'gcp.vertex.agent.invocation_id',
        'gcp.vertex.agent.session_id': 'gcp.vertex.agent.session_id',
      },
      test: [spec, 'B62'],
      pending: true,
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
      test: [spec, 'B62'],
      pending: true,
    },
    {
      item: 'span_merged_tools/1: execute_tool (merged)',
      named: '000',
      file: 'libs/engine/src/flow/run-tool-round.ts',
      symbol: 'merged',
      test: [spec, 'B62'],
      pending: true,
    },
    {
      item: 'events [:adk_ex, :llm], start, stop and exception',
      named: '000, 002',
      file: 'libs/engine/src/telemetry/channels.ts',
      symbol: 'skein:llm',
      departure: 'telemetry-events',
      test: ['libs/engine/src/telemetry/channels.spec.ts', 'skein:llm'],
      pending: true,
    },
    {
      item: 'events [:adk_ex, :tool], start, stop and exception',
      named: '000, 002',
      file: 'libs/engine/src/telemetry/channels.ts',
      symbol: 'skein:tool',
      departure: 'telemetry-events',
      test: ['libs/engine/src/telemetry/channels.spec.ts', 'skein:tool'],
      pending: true,
    },
  ],
};
