import { context, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { FunctionTool } from '../tool/function-tool';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => provider.register());
beforeEach(() => exporter.reset());
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
});

/** A turn of two calls and an answer; its spans by name, in the order they ended. */
async function aTracedTurn() {
  const answer = {
    ...text('done'),
    finishReason: 'STOP',
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2 },
  };
  const model = new FakeLlm([[calls({ id: 'a', name: 'f' }, { id: 'b', name: 'f' })], [answer]]);
  const tools = [new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 1 })];
  const agent = new LlmAgent({
    name: 'root',
    description: 'Does things.',
    model,
    tools,
    generateContentConfig: { maxOutputTokens: 50 },
  });
  const { events } = await runTurn(agent);
  return { events, spans: exporter.getFinishedSpans() };
}

describe('the spans of a turn (B62)', () => {
  it('are those of ADK, one below the other', async () => {
    const { spans } = await aTracedTurn();

    const nameOf = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
    const lines = spans.map(
      (span) => `${span.name} < ${nameOf.get(span.parentSpanContext?.spanId ?? '') ?? '-'}`,
    );
    expect(lines).toEqual([
      'generate_content fake < call_llm',
      'call_llm < invoke_agent root',
      'execute_tool f < invoke_agent root',
      'execute_tool f < invoke_agent root',
      'execute_tool (merged) < invoke_agent root',
      'generate_content fake < call_llm',
      'call_llm < invoke_agent root',
      'invoke_agent root < -',
    ]);
    expect(new Set(spans.map(({ instrumentationScope }) => instrumentationScope.name))).toEqual(
      new Set(['gcp.vertex.agent']),
    );
  });

  it('name the events they led to, so that a UI finds them by these', async () => {
    const { events, spans } = await aTracedTurn();

    const eventIds = spans.map(({ name, attributes }) => [name, attributes['gcp.vertex.agent.event_id']]);
    expect(eventIds.filter(([name]) => name !== 'invoke_agent root')).toEqual([
      ['generate_content fake', events[0]?.id],
      ['call_llm', events[0]?.id],
      ['execute_tool f', events[1]?.id],
      ['execute_tool f', events[1]?.id],
      ['execute_tool (merged)', events[1]?.id],
      ['generate_content fake', events[2]?.id],
      ['call_llm', events[2]?.id],
    ]);
  });

  it('say whose they are and what they cost', async () => {
    const { events, spans } = await aTracedTurn();

    const attributesOf = (name: string) => spans.findLast((span) => span.name === name)?.attributes;
    expect(attributesOf('invoke_agent root')).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'root',
      'gen_ai.agent.description': 'Does things.',
      'gen_ai.conversation.id': 's',
    });
    expect(attributesOf('generate_content fake')).toMatchObject({
      'gen_ai.operation.name': 'generate_content',
    });
    expect(attributesOf('call_llm')).toMatchObject({
      'gen_ai.system': 'gcp.vertex.agent',
      'gcp.vertex.agent.invocation_id': events[0]?.invocationId,
      'gen_ai.request.model': 'fake',
      'gen_ai.request.max_tokens': 50,
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.response.finish_reasons': ['stop'],
      'gcp.vertex.agent.session_id': 's',
    });
    expect(attributesOf('execute_tool f')).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'f',
      'gen_ai.tool.type': 'FunctionTool',
      'gen_ai.tool.call.id': 'b',
    });
  });
});
