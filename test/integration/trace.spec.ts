import { spanIdOf, traceStepOf } from '@skein/contracts';
import { Client } from '../support/client';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';
import { unknownParents } from '../trace/story';

/** Each goes a way of its own, and none may come out at the collector. */
const PLANTED = {
  ticketSecret: 'planted-secret-of-the-tickets',
  modelKey: 'planted-key-of-a-model',
  requestHeader: 'planted-header-of-the-client',
  query: 'planted-signature-in-a-query',
  outgoingHeader: 'planted-header-of-a-tool',
  said: 'planted-in-what-was-said',
  argument: 'planted-in-an-argument',
  result: 'planted-in-a-result',
};

const AGENTS = {
  watcher: `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const look = new FunctionTool({
  name: 'look',
  description: 'Looks.',
  execute: async () => {
    const headers = { authorization: 'Bearer ${PLANTED.outgoingHeader}' };
    await fetch(process.env.OTEL_EXPORTER_OTLP_ENDPOINT + '/object?X-Amz-Signature=${PLANTED.query}', { headers });
    return '${PLANTED.result}';
  },
});
const fail = new FunctionTool({
  name: 'fail',
  description: 'Fails.',
  execute: () => {
    throw new Error('refused: http://x/?sig=${PLANTED.query}, Bearer ${PLANTED.outgoingHeader}, ${PLANTED.modelKey}');
  },
});
const call = (name) => ({ functionCall: { name, args: { what: '${PLANTED.argument}' } } });

export const rootAgent = new LlmAgent({
  name: 'watcher',
  tools: [look, fail],
  model: new ScriptedLlm({
    responses: [
      { content: { role: 'model', parts: [call('look'), call('fail')] } },
      { content: { role: 'model', parts: [{ text: 'Seen.' }] } },
    ],
  }),
});
`,
  asker: `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const pay = new FunctionTool({ name: 'pay', description: 'Pays.', requireConfirmation: true, execute: () => 'paid' });

export const rootAgent = new LlmAgent({
  name: 'asker',
  tools: [pay],
  model: new ScriptedLlm({
    responses: [
      { content: { role: 'model', parts: [{ functionCall: { name: 'pay', args: {} } }] } },
      { content: { role: 'model', parts: [{ text: 'Paid.' }] } },
    ],
  }),
});
`,
  sleeper: `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const sleep = new FunctionTool({
  name: 'sleep',
  description: 'Sleeps.',
  execute: async (_args, { signal }) => {
    console.log('asleep');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  },
});

export const rootAgent = new LlmAgent({
  name: 'sleeper',
  tools: [sleep],
  model: new ScriptedLlm({
    responses: [{ content: { role: 'model', parts: [{ functionCall: { name: 'sleep', args: {} } }] } }],
  }),
});
`,
};

describe('the trace of one invocation', () => {
  let collector: OtlpReceiver;
  let skein: Skein;

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      TRUST_TRACEPARENT: 'true',
      SKEIN_SECRET: PLANTED.ticketSecret,
      GOOGLE_API_KEY: PLANTED.modelKey,
    };
    skein = await Skein.start({ agents: AGENTS, env });
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    await collector?.close();
  }, 60_000);

  /** The trace in which that many segments ended, once it is whole. */
  async function wholeTrace(of: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]> {
    return waitUntil('the whole trace', () => {
      const trace = collector.traceOf((span) => span.name === 'invocation' && of(span));
      const hasRoot = trace.some(({ name }) => name.startsWith('POST /run'));
      return trace.length > 0 && hasRoot && unknownParents(trace).length === 0 ? trace : undefined;
    });
  }

  it('holds spans of four services under one trace id, each below another', async () => {
    const client = new Client(skein.url, 'watcher');
    await client.createSession('s');
    const { headers } = await client.run('s', PLANTED.said, {}, { authorization: PLANTED.requestHeader });
    const invocationId = headers.get('x-invocation-id');
    expect(invocationId).toMatch(/^e-/);

    const spans = await wholeTrace(
      ({ attributes }) => attributes['gcp.vertex.agent.invocation_id'] === invocationId,
    );

    expect([...new Set(spans.map(({ service }) => service))].sort()).toEqual([
      'skein-gateway',
      'skein-runner',
      'skein-session-svc',
      'skein-tool-worker',
    ]);
    const names = spans.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'invocation',
        'invoke_agent watcher',
        'call_llm',
        'execute_tool look',
        'event process',
      ]),
    );
    expect(spans.filter(({ parentSpanId }) => !parentSpanId)).toHaveLength(1);
    expect(names.filter((name) => name.startsWith('pg.query')).length).toBeGreaterThanOrEqual(1);
    // What a tool asks for is below the tool, in its worker.
    const ran = spans.find(({ name }) => name === 'run_tool look');
    expect(
      spans.find(({ name, service }) => name === 'GET' && service === 'skein-tool-worker'),
    ).toMatchObject({
      kind: 'client',
      parentSpanId: ran?.spanId,
    });
    expect(spans.find(({ name }) => name === 'execute_tool fail')).toMatchObject({
      attributes: { 'error.type': 'tool.threw' },
      error: 'refused: http://x/?*** Bearer [redacted], [redacted]',
    });
  }, 60_000);

  it('is the one its caller names, where callers are trusted, and is not there where that is not sampled', async () => {
    const client = new Client(skein.url, 'watcher');
    for (const session of ['silent', 'loud']) await client.createSession(session);
    const [silent, loud] = ['1', '2'].map((digit) => digit.repeat(32));
    const parent = 'b7ad6b7169203331';

    await client.run('silent', 'not sampled', {}, { traceparent: `00-${silent}-${parent}-00` });
    await client.run('loud', 'sampled', {}, { traceparent: `00-${loud}-${parent}-01` });
    const spans = await waitUntil('the sampled trace', () => {
      const found = collector.spans.filter(({ traceId }) => traceId === loud);
      const isWhole = found.some(
        ({ service, name }) => service === 'skein-gateway' && name.startsWith('POST'),
      );
      return isWhole && unknownParents(found).every((id) => id === parent) ? found : undefined;
    });

    expect(spans.filter(({ parentSpanId }) => parentSpanId === parent).map(({ name }) => name)).toEqual([
      'POST /run',
    ]);
    expect(collector.spans.filter(({ traceId }) => traceId === silent)).toEqual([]);
  }, 60_000);

  it('of an answer that comes later links to the one that asked', async () => {
    const client = new Client(skein.url, 'asker');
    await client.createSession('s');
    const { body: asked, headers } = await client.run('s', 'pay');
    const invocationId = headers.get('x-invocation-id') ?? '';
    const isOf =
      (segment: number) =>
      ({ attributes }: ReceivedSpan): boolean =>
        attributes['gcp.vertex.agent.invocation_id'] === invocationId &&
        attributes['skein.segment'] === segment;
    const asking = await wholeTrace(isOf(0));
    const question = asked
      .flatMap((event) => event.content?.parts ?? [])
      .map(({ functionCall }) => functionCall);
    const { id, name } = question.find((call) => call?.name === 'adk_request_confirmation') ?? {};
    await client.run('s', {
      role: 'user',
      parts: [{ functionResponse: { id, name: name ?? '', response: { confirmed: true } } }],
    });

    const answering = await wholeTrace(isOf(1));

    const linked = { traceId: asking[0]?.traceId, spanId: spanIdOf(traceStepOf(invocationId, '0')) };
    expect(answering.find((span) => span.name === 'invocation')?.links).toEqual([linked]);
    expect(answering[0]?.traceId).not.toBe(linked.traceId);
    expect(asking.some(({ spanId, name: of }) => spanId === linked.spanId && of === 'invocation')).toBe(true);
  }, 60_000);

  it('tells that its run was cancelled, from the agent at work up', async () => {
    const client = new Client(skein.url, 'sleeper');
    await client.createSession('s');
    const running = client.run('s', 'sleep');
    await skein.untilLogged(/asleep/);
    const path = `${client.sessionPath('s')}/invocations`;
    const { body } = await client.request<{ invocations: { invocationId: string }[] }>('GET', path);
    await client.request('POST', `${path}/${body.invocations[0]?.invocationId}/cancel`);
    await running;

    const spans = await wholeTrace(({ attributes }) => attributes['error.type'] === 'invocation.cancelled');

    const cancelled = spans.filter(({ attributes }) => attributes['error.type'] === 'invocation.cancelled');
    expect(cancelled.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['invocation', 'invoke_agent sleeper', 'execute_tool sleep']),
    );
  }, 60_000);

  it('holds no secret: not in a byte of what the collector received', () => {
    expect(collector.bodies.length).toBeGreaterThan(3);
    const received = collector.bodies.join('\n');
    const found = Object.entries(PLANTED).filter(([, secret]) => received.includes(secret));
    expect(found.map(([where]) => where)).toEqual([]);
  });
});
