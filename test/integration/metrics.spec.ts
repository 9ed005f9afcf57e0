import { Client } from '../support/client';
import { type ExposedMetric, parseExposed, readMetricsPage } from '../support/metrics-page';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const ENV = {
  ...{ RUNNERS: '1', TOOL_WORKERS: '1', LOG_FORMAT: 'json', CANARY_API_KEY: 'canary-of-the-environment' },
  // Nobody is there; so there are ids of traces, and spans to be lost.
  ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_BSP_SCHEDULE_DELAY: '100' },
};

const AGENT = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const add = new FunctionTool({
  name: 'add',
  description: 'Adds.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => {
    console.log('adding\\nwith ' + process.env.CANARY_API_KEY, { authorization: 'Bearer canary-in-text-1234' });
    return a + b;
  },
});
const usageMetadata = { promptTokenCount: 11, candidatesTokenCount: 4 };

export const rootAgent = new LlmAgent({
  name: 'adder',
  tools: [add],
  model: new ScriptedLlm({
    responses: [
      { content: { role: 'model', parts: [{ functionCall: { name: 'add', args: { a: 1, b: 2 } } }] }, usageMetadata },
      { content: { role: 'model', parts: [{ text: 'three' }] }, usageMetadata },
    ],
  }),
});
`;

interface Line {
  readonly app: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

describe('what running processes tell', () => {
  const documented = readMetricsPage();
  const exposed = new Map<string, readonly ExposedMetric[]>();
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({ agents: { adder: AGENT }, env: ENV });
    await new Client(skein.url, 'adder', 'ada').run('nowhere', 'add');
    const ada = new Client(skein.url, 'adder', 'ada');
    await ada.createSession('s.1');
    await ada.run('s.1', 'add');
    for (const app of ['gateway', 'session-svc', 'runner', 'tool-worker']) {
      // What follows an answer, as the end of the request, is counted a moment after it.
      await waitUntil(`the turn in the figures of ${app}`, async () => {
        exposed.set(app, parseExposed(await scrape(app)));
        return documented.filter(({ apps }) => apps.includes(app)).length > 0 && hasCountedTurn(app)
          ? true
          : undefined;
      });
    }
  }, 120_000);
  afterAll(() => skein.stop());

  async function scrape(app: string): Promise<string> {
    const { healthUrl } = skein.processes().find((process) => process.app === app) ?? {};
    const response = await fetch(`${healthUrl}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    return response.text();
  }

  function sumOf(app: string, start: string): number {
    const samples = (exposed.get(app) ?? []).flatMap(({ series }) => series);
    return samples.filter(({ text }) => text.startsWith(start)).reduce((sum, { value }) => sum + value, 0);
  }

  function hasCountedTurn(app: string): boolean {
    const sign = {
      gateway: 'skein_http_request_duration_seconds_count{method="POST",route="/run",status="200"}',
      'session-svc': 'skein_invocations_ended_total{app="adder",status="completed"}',
      runner: 'skein_rpc_request_duration_seconds_count{subject="rpc.session.append",outcome="ok"}',
      'tool-worker': 'skein_messages_total{stream="TOOLS",outcome="done"}',
    }[app];
    return sign !== undefined && sumOf(app, sign) > 0;
  }

  it.each(['gateway', 'session-svc', 'runner', 'tool-worker'])(
    'in figures is what the page has for %s',
    (app) => {
      const shown = (exposed.get(app) ?? []).map(({ name, type, help }) => ({ name, type, meaning: help }));
      const promised = documented
        .filter(({ apps }) => apps.includes(app))
        .map(({ name, type, meaning }) => ({ name, type, meaning }));

      expect(shown.sort(byName)).toEqual(promised.sort(byName));
    },
  );

  it('in figures has the labels the page tells of, and no others', () => {
    const told = new Map(documented.map(({ name, labels }) => [name, labels]));
    const untold = [...exposed.values()]
      .flat()
      .flatMap(({ name, labels }) => [...labels].map((label) => [name, label] as const))
      .filter(([name, label]) => !told.get(name)?.includes(label));

    expect(untold).toEqual([]);
  });

  it('in figures is of the turn that was run', () => {
    expect(sumOf('runner', 'skein_model_calls_total{model="scripted",outcome="ok"}')).toBe(2);
    expect(sumOf('runner', 'skein_model_tokens_total{model="scripted",direction="input"}')).toBe(22);
    expect(sumOf('runner', 'skein_model_tokens_total{model="scripted",direction="output"}')).toBe(8);
    expect(sumOf('runner', 'skein_tool_answer_duration_seconds_count{tool="add",outcome="ok"}')).toBe(1);
    expect(sumOf('tool-worker', 'skein_tool_calls_total{tool="add",pool="default",outcome="result"}')).toBe(
      1,
    );
    expect(
      sumOf('session-svc', 'skein_invocation_duration_seconds_count{app="adder",status="completed"}'),
    ).toBe(1);
    expect(sumOf('session-svc', 'skein_append_batch_units_sum')).toBeGreaterThan(1);
    expect(sumOf('session-svc', 'skein_queue_waiting_messages{stream="TOOLS",pool="default"}')).toBe(0);
  });

  it('in figures is told on the public port too, which is loopback', async () => {
    const response = await fetch(`${skein.url}/metrics`);

    expect(response.status).toBe(200);
    expect(parseExposed(await response.text()).map(({ name }) => name)).toContain('skein_open_streams');
  });

  /** Of the apps alone: the servers and the launcher write as they like. */
  function linesOf(log: string): Line[] {
    return [...log.matchAll(/^(gateway|session-svc|runner-1|tool-worker-1) +\| (.*)$/gm)].map(
      ([, app = '', text = '']) => ({
        app,
        fields: JSON.parse(text) as Line['fields'], // Throws on what is no line of JSON.
      }),
    );
  }

  it('in lines of the log is one object of JSON for each, with the ids of whose work it was', async () => {
    await skein.untilLogged(/invocation finished/);
    const lines = linesOf(skein.log());
    const found = (app: string, msg: string): Line['fields'] | undefined =>
      lines.find((line) => line.app === app && String(line.fields.msg).startsWith(msg))?.fields;
    const ids = { appName: 'adder', sessionId: 's.1', invocationId: expect.stringMatching(/^e-/) };
    const trace = {
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    };

    expect(found('runner-1', 'invocation finished')).toMatchObject(ids);
    expect(found('tool-worker-1', 'tool call finished')).toMatchObject({ ...ids, ...trace });
    expect(found('tool-worker-1', 'adding\nwith')).toMatchObject({ ...ids, ...trace, source: 'console' });
    const elsewhere = { appName: 'adder', sessionId: 'nowhere' };
    expect(found('session-svc', 'request failed')).toMatchObject({ ...elsewhere, ...trace });
    expect(found('gateway', 'request failed')).toMatchObject({
      ...elsewhere,
      ...trace,
      code: expect.any(String),
    });
  });

  it('in lines of the log holds no secret', () => {
    expect(skein.log()).toContain('adding');
    expect(skein.log().match(/canary[\w-]*/gi) ?? []).toEqual([]);
  });
});

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
