import { Client } from '../support/client';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const AGENT = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const look = new FunctionTool({ name: 'look', description: 'Looks.', execute: () => 'seen' });

export const rootAgent = new LlmAgent({
  name: 'watcher',
  tools: [look],
  model: new ScriptedLlm({
    responses: [
      { content: { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] } },
      { content: { role: 'model', parts: [{ text: 'Seen.' }] } },
    ],
  }),
});
`;

describe('the trace of one invocation', () => {
  let collector: OtlpReceiver;
  let skein: Skein;

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    skein = await Skein.start({ agents: { watcher: AGENT }, env });
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    await collector?.close();
  }, 60_000);

  it('holds spans of four services under one trace id, each below another', async () => {
    const client = new Client(skein.url, 'watcher');
    await client.createSession('s');
    const { headers } = await client.run('s', 'look');
    expect(headers.get('x-invocation-id')).toMatch(/^e-/);

    const spans = await waitUntil('the whole trace', () => {
      const run = collector.spans.find(({ name }) => name === 'invocation');
      const trace = collector.spans.filter(({ traceId }) => traceId === run?.traceId);
      const names = trace.map(({ name }) => name);
      const isWhole =
        servicesOf(trace).length === 4 &&
        names.filter((name) => name === 'call_llm').length >= 2 &&
        names.includes('invoke_agent watcher') &&
        trace.some(({ parentSpanId }) => !parentSpanId) &&
        trace.every(
          ({ parentSpanId }) => !parentSpanId || trace.some(({ spanId }) => spanId === parentSpanId),
        );
      return isWhole ? trace : undefined;
    });

    expect(servicesOf(spans)).toEqual([
      'skein-gateway',
      'skein-runner',
      'skein-session-svc',
      'skein-tool-worker',
    ]);
    const names = spans.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['invocation', 'invoke_agent watcher', 'call_llm', 'execute_tool look']),
    );
    expect(spans.filter(({ parentSpanId }) => !parentSpanId)).toHaveLength(1);
    const sql = spans.filter(
      ({ service, name }) => service === 'skein-session-svc' && name.startsWith('pg.query'),
    );
    expect(sql.length).toBeGreaterThanOrEqual(1);
  }, 60_000);
});

function servicesOf(spans: readonly ReceivedSpan[]): string[] {
  return [...new Set(spans.map(({ service }) => service))].sort();
}
