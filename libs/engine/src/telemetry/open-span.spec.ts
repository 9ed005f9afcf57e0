import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { AdkError } from '@skein/contracts';
import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { cancelledError } from '../runner/end-cancelled';
import { FunctionTool } from '../tool/function-tool';
import { captureContent } from './content-capture';
import { RunLeft } from './open-span';
import { traced } from './trace';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => provider.register());
beforeEach(() => exporter.reset());
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
});

const never = (): Promise<never> => new Promise(() => undefined);
const ended = () => exporter.getFinishedSpans();

describe('a span of a run', () => {
  it('ends with the run that is cancelled, also where its work is left behind', () => {
    const run = new AbortController();
    void traced('invoke_agent a', {}, () => traced('call_llm', {}, never, { signal: run.signal }), {
      signal: run.signal,
      step: 'e-1/0/a.0',
    });

    run.abort(cancelledError());

    expect(ended().map(({ name }) => name)).toEqual(['call_llm', 'invoke_agent a']);
    for (const span of ended()) {
      expect(span.status.code).toBe(SpanStatusCode.ERROR);
      expect(span.attributes['error.type']).toBe('invocation.cancelled');
    }
  });

  it.each([
    ['the runner stops', new RunLeft('It is to end.')],
    ['another has the session', new AdkError('conflict', 'append.fenced', 'Another runner owns it.')],
  ])('is left to whoever goes on with its step when %s; what has no step ends', (_why, reason) => {
    const run = new AbortController();
    void traced('invoke_agent a', {}, () => traced('call_llm', {}, never, { signal: run.signal }), {
      signal: run.signal,
      step: 'e-1/0/a.0',
    });

    run.abort(reason);

    expect(ended().map(({ name }) => name)).toEqual(['call_llm']);
  });

  it('tells a failed tool, and what the tool plane could not do', async () => {
    const tool = new FunctionTool({
      name: 'f',
      description: 'Fails.',
      execute: () => {
        throw new Error('No such room.');
      },
    });
    const model = new FakeLlm([[calls({ id: 'a', name: 'f' })], [text('Sorry.')]]);

    await runTurn(new LlmAgent({ name: 'root', model, tools: [tool] }));

    const span = ended().find(({ name }) => name === 'execute_tool f');
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'No such room.' });
    expect(span?.attributes['error.type']).toBe('tool.threw');
    expect(span?.events.map(({ name }) => name)).toEqual(['exception']);
  });
});

describe('what was said', () => {
  async function attributesOf(name: string): Promise<Record<string, unknown> | undefined> {
    const model = new FakeLlm([[calls({ id: 'a', name: 'f' }, { id: 'b', name: 'f' })], [text('done')]]);
    const tools = [new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 'a secret' })];
    const generateContentConfig = { httpOptions: { headers: { 'x-key': 'planted' } } };
    await runTurn(new LlmAgent({ name: 'root', model, tools, generateContentConfig }));
    return ended().findLast((span) => span.name === name)?.attributes;
  }

  afterEach(() => captureContent(false));

  it.each(['call_llm', 'execute_tool f', 'execute_tool (merged)'])(
    'is on no span by itself: %s holds what ADK puts in its place (B62)',
    async (name) => {
      const attributes = (await attributesOf(name)) ?? {};

      expect(attributes).toMatchObject({
        'gcp.vertex.agent.llm_request': '{}',
        'gcp.vertex.agent.llm_response': '{}',
      });
      expect(JSON.stringify(attributes)).not.toContain('a secret');
    },
  );

  it('is on the spans ADK has it on once that is asked for, without what a request is sent with (B62)', async () => {
    captureContent(true);

    const asked = await attributesOf('call_llm');
    const executed = ended().find(({ name }) => name === 'execute_tool f')?.attributes;
    const merged = ended().find(({ name }) => name === 'execute_tool (merged)')?.attributes;

    const request = String(asked?.['gcp.vertex.agent.llm_request']);
    expect(JSON.parse(request)).toMatchObject({ model: 'fake', contents: expect.any(Array) as unknown });
    expect(request).toContain('a secret');
    expect(request).not.toContain('planted');
    expect(asked?.['gcp.vertex.agent.llm_response']).toContain('done');
    expect(executed?.['gcp.vertex.agent.tool_response']).toBe('{"result":"a secret"}');
    expect(executed?.['gcp.vertex.agent.tool_call_args']).toBe('{}');
    expect(merged?.['gcp.vertex.agent.tool_response']).toContain('a secret');
  });
});
