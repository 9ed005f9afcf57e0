import { type Event, getFunctionCalls, getFunctionResponses } from '@skein/adk';
import { type Heard, ProviderServer } from '@skein/testing';
import { Client, textOf } from '../support/client';
import { OtlpReceiver } from '../support/otlp-receiver';
import { PROVIDERS, type TestedProvider } from '../support/provider-servers';
import { Skein } from '../support/skein';
import { FAULTS, IMPATIENT } from './models-bad-input-faults';

/** The first turn of a provider, which loads its SDK. */
const WARM_UP = 'a first turn';
/** Said nowhere but in conversations. */
const FINE = 'Everything is as quiet as it was.';

/**
 * The key stands in the agent's file, where nothing but the adapter knows that it is one. Each fault has an address of its
 * own, because a model that failed often at one address is left alone there for a while.
 */
function agentFile(
  { name, className, model, apiKey }: TestedProvider,
  baseUrls: Readonly<Record<string, string>>,
): string {
  const silences = Object.keys(FAULTS).filter((fault) => FAULTS[fault]?.isSilence);
  return `
import { FunctionTool, ${className}, LlmAgent, RoutedLlm } from '@skein/adk';

const touch = new FunctionTool({
  name: 'touch',
  description: 'Touches.',
  parameters: { type: 'object', properties: { n: { type: 'number' } } },
  execute: ({ n }) => ({ touched: n }),
});

export const rootAgent = new LlmAgent({
  name: '${name}_agent',
  tools: [touch],
  model: new RoutedLlm({
    models: Object.fromEntries(Object.entries(${JSON.stringify(baseUrls)}).flatMap(([fault, baseUrl]) => [
      [fault, at(baseUrl, ${JSON.stringify(silences)}.includes(fault) ? ${JSON.stringify(IMPATIENT)} : {})],
      [fault + ', later', at(baseUrl, {})],
    ])),
    // A conversation begins with the name of the fault.
    router: (_models, { contents }) =>
      contents[0].parts[0].text + (contents.at(-1).parts.at(-1).text === 'go on' ? ', later' : ''),
  }),
});

function at(baseUrl, limits) {
  return new ${className}({
    model: '${model}',
    apiKey: '${apiKey}',
    baseUrl,
    // Scaled down from 3 requests and half a second.
    maxAttempts: 2,
    firstDelayMs: 20,
    ...limits,
  });
}
`;
}

const cells = PROVIDERS.flatMap((provider) =>
  Object.keys(FAULTS).flatMap((fault) =>
    (['at once', 'streamed'] as const).map((mode) => ({ provider: provider.name, fault, mode })),
  ),
);

/** What came of one cell: a turn with the fault, and a turn after it. */
interface Played {
  readonly shown: string;
  readonly log: readonly Event[];
  readonly next: Event | undefined;
}

describe('a provider that misbehaves', () => {
  const servers: { readonly name: string; readonly fault: string; readonly server: ProviderServer }[] = [];
  let collector: OtlpReceiver;
  let skein: Skein;
  let isStopped = false;
  const played = new Map<string, Played>();

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    for (const provider of PROVIDERS) {
      for (const fault of [WARM_UP, ...Object.keys(FAULTS)]) {
        const { name, dialect, model, apiKey } = provider;
        const server = await ProviderServer.start(dialect, model, apiKey);
        behave(server, provider);
        servers.push({ name, fault, server });
      }
    }
    const files = PROVIDERS.map((one) => [one.name, agentFile(one, urlsOf(one.name))] as const);
    skein = await Skein.start({
      agents: Object.fromEntries(files),
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        // So that what a span could hold of a conversation is on it.
        ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS: 'true',
        LOG_LEVEL: 'debug',
        MODEL_ANSWER_LIMIT_BYTES: '1048576',
        // One, so that the turn that loads an SDK does so for all that follow.
        RUNNERS: '1',
        TOOL_WORKERS: '1',
      },
    });
    for (const { name } of PROVIDERS) await warmUp(skein, name);
    // All at once: most of the time of a fault is waiting for it.
    await Promise.all(cells.map(async (cell) => played.set(nameOf(cell), await play(skein, cell))));
    // With its last lines and spans.
    await skein.stop();
    isStopped = true;
  }, 240_000);

  afterAll(async () => {
    if (!isStopped) await skein?.stop();
    await collector?.close();
    await Promise.all(servers.map(({ server }) => server.stop()));
  }, 60_000);

  function urlsOf(name: string): Record<string, string> {
    const ofIt = servers.filter((one) => one.name === name);
    return Object.fromEntries(ofIt.map(({ fault, server }) => [fault, server.baseUrl]));
  }

  function playedOf(cell: Cell): Played {
    const found = played.get(nameOf(cell));
    if (!found) throw new Error(`${nameOf(cell)} was not played`);
    return found;
  }

  it.each(cells)('$provider: after $fault, $mode, the session answers the next message', (cell) => {
    expect(textOf(playedOf(cell).next)).toBe(FINE);
  });

  it.each(cells.filter(({ fault }) => FAULTS[fault]?.told))(
    '$provider: $fault, $mode, is an event that says so',
    (cell) => {
      const { log, shown } = playedOf(cell);
      const errors = log.filter(({ errorCode }) => errorCode !== undefined);
      const told = FAULTS[cell.fault]?.told?.(cell.provider, cell.mode);

      expect(errors.map(({ errorCode, errorMessage }) => [errorCode, errorMessage])).toEqual([
        [told?.code, expect.stringMatching(told?.says ?? /^$/)],
      ]);
      // Whoever waited for the run hears of it too.
      expect(shown).toContain(JSON.stringify(errors[0]?.errorMessage ?? '').slice(1, -1));
    },
  );

  const inBothModes = (fault: string) => cells.filter((cell) => cell.fault === fault);

  it.each(inBothModes('a call of a tool that does not exist'))(
    '$provider: $fault, $mode, is answered with an error that names it',
    (cell) => {
      const [response] = playedOf(cell).log.flatMap(getFunctionResponses);

      expect(response).toMatchObject({
        name: 'nobody_has_this',
        response: { error: expect.stringContaining('nobody_has_this') },
      });
    },
  );

  it.each(inBothModes('two calls of one id'))(
    '$provider: $fault, $mode, are each run and answered',
    (cell) => {
      const { log } = playedOf(cell);

      expect(log.flatMap(getFunctionCalls).map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }]);
      expect(log.flatMap(getFunctionResponses).map(({ response }) => response)).toEqual([
        { touched: 1 },
        { touched: 2 },
      ]);
    },
  );

  it.each([
    ...inBothModes('words that cannot be stored'),
    ...inBothModes('a call in words that cannot be stored'),
  ])('$provider: $fault, $mode, are stored with U+FFFD in their place', (cell) => {
    const { log } = playedOf(cell);

    expect(log.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
    expect(JSON.stringify(log)).toContain('\ufffd or \ufffd');
  });

  it.each(PROVIDERS)('$name: every request was in order', ({ name }) => {
    const ofIt = servers.filter((one) => one.name === name);

    expect(ofIt.flatMap(({ server }) => server.refused)).toEqual([]);
  });

  it('no key is in a log line, a span, an event or an answer', () => {
    const told = [...played.values()].map(({ shown, log }) => shown + JSON.stringify(log)).join('');
    const spans = collector.bodies.join('');
    // What was said is on the spans, and with it whatever a request or an answer holds.
    expect(spans.split(FINE).length).toBeGreaterThan(cells.length);
    for (const { apiKey } of PROVIDERS) {
      expect(told).not.toContain(apiKey);
      expect(skein.log()).not.toContain(apiKey);
      expect(spans).not.toContain(apiKey);
    }
  });
});

type Cell = (typeof cells)[number];

function nameOf({ provider, fault, mode }: Cell): string {
  return `${provider}, ${fault}, ${mode}`;
}

/** A fault by its name; for a result, and for everything else that is said, an answer. */
function behave(server: ProviderServer, provider: TestedProvider): void {
  server.otherwise = (request) => {
    const said = lastSaid(server.dialect.hear(request));
    return FAULTS[said]?.does(provider) ?? { says: { parts: [{ text: said === 'go on' ? FINE : 'Done.' }] } };
  };
}

/** The text the conversation ends with; none where it ends with a tool's result. */
function lastSaid({ turns }: Heard): string {
  const last = turns.at(-1)?.parts.at(-1);
  return last && 'text' in last ? last.text : '';
}

async function warmUp(skein: Skein, provider: string): Promise<void> {
  const client = new Client(skein.url, provider);
  await client.createSession(WARM_UP);
  const { body } = await client.run(WARM_UP, WARM_UP);
  expect(body.map(textOf)).toEqual(['Done.']);
}

async function play(skein: Skein, cell: Cell): Promise<Played> {
  const client = new Client(skein.url, cell.provider);
  const sessionId = nameOf(cell);
  await client.createSession(sessionId);
  const shown =
    cell.mode === 'streamed'
      ? await client.runSse(sessionId, cell.fault)
      : await client.run(sessionId, cell.fault);
  const { events } = await client.getSession(sessionId);
  const { body } = await client.run(sessionId, 'go on');
  return { shown: JSON.stringify(shown), log: events, next: Array.isArray(body) ? body.at(-1) : undefined };
}
