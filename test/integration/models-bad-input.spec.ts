import { type Event, getFunctionCalls, getFunctionResponses } from '@skein/adk';
import { type Behaviour, type Heard, ProviderServer } from '@skein/testing';
import { Client, textOf } from '../support/client';
import { OtlpReceiver } from '../support/otlp-receiver';
import { PROVIDERS, type TestedProvider } from '../support/provider-servers';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/**
 * The key stands in the agent's file, where nothing but the adapter knows that it is one. Each fault has an address of its
 * own, because a model that failed often at one address is left alone there for a while.
 */
function agentFile(
  { name, className, model, apiKey }: TestedProvider,
  baseUrls: Record<string, string>,
): string {
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
    models: Object.fromEntries(Object.entries(${JSON.stringify(baseUrls)}).map(([fault, baseUrl]) => [fault, at(baseUrl)])),
    // A conversation begins with the name of the fault.
    router: (_models, { contents }) => contents[0].parts[0].text,
  }),
});

function at(baseUrl) {
  return new ${className}({
    model: '${model}',
    apiKey: '${apiKey}',
    baseUrl,
    // Scaled down from 3 requests, half a second and two minutes.
    maxAttempts: 2,
    firstDelayMs: 20,
    connectTimeoutMs: 4_000,
    idleTimeoutMs: 4_000,
  });
}
`;
}

/** What a provider does, and what the log then says. */
interface Fault {
  readonly does: (provider: TestedProvider) => Behaviour;
  /** Of the error event, its code and its sentence; of a fault that the model is told of, nothing. */
  readonly code?: RegExp;
  readonly says?: RegExp;
}

const text = { parts: [{ text: 'The beginning of an answer that nobody sees the end of.' }] };
const call = (id: string, n: number) => ({ call: { id, name: 'touch', args: { n } } });

const FAULTS: Readonly<Record<string, Fault>> = {
  'a wrong key, told back in the refusal': {
    does: ({ apiKey }) => ({ refuses: 'wrong-key', message: `API key not valid: ${apiKey}` }),
    code: /^ClientError$/,
    says: /key/i,
  },
  'an unknown model': { does: () => ({ refuses: 'unknown-model' }), code: /^ClientError$/, says: /model/i },
  'a request over the context limit': {
    does: () => ({ refuses: 'too-long' }),
    code: /^ClientError$/,
    says: /exceed|too long|longer|context/i,
  },
  'a refused prompt': { does: () => ({ says: { parts: [], stop: 'safety' } }), code: /./, says: /./ },
  'an outage': { does: () => ({ refuses: 'failed' }), code: /^ServerError$/, says: /./ },
  'an overload': { does: () => ({ refuses: 'overloaded' }), code: /^ServerError$/, says: /./ },
  'no answer at all': {
    does: () => ({ hangs: true }),
    code: /^ModelError$/,
    says: /sent nothing for 4000 ms/,
  },
  'an answer that stops coming': {
    does: () => ({ says: text, breaks: { at: 'begun', how: 'hang' } }),
    code: /^ModelError$/,
    says: /sent nothing for 4000 ms/,
  },
  'an answer that is cut': {
    does: () => ({ says: text, breaks: { at: 'begun', how: 'cut' } }),
    code: /^ModelError$|^model\.truncated$/,
    says: /broke off|could not be read/i,
  },
  'an answer that turns into garbage': {
    does: () => ({ says: text, breaks: { at: 'begun', how: 'garbage' } }),
    code: /^ModelError$/,
    says: /could not be read/i,
  },
  'a page in place of an answer': {
    does: () => ({
      replies: (response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>A proxy.</html>'),
    }),
    code: /./,
    says: /./,
  },
  'a call of a tool that does not exist': {
    does: () => ({ says: { parts: [{ call: { id: 'c1', name: 'nobody_has_this', args: {} } }] } }),
  },
  'two calls of one id': { does: () => ({ says: { parts: [call('same', 1), call('same', 2)] } }) },
};

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
  const played = new Map<string, Played>();

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    for (const provider of PROVIDERS) {
      for (const fault of Object.keys(FAULTS)) {
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
      },
    });
    // All at once: most of the time of a fault is waiting for it.
    await Promise.all(cells.map(async (cell) => played.set(nameOf(cell), await play(skein, cell))));
  }, 180_000);

  afterAll(async () => {
    await skein?.stop();
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
    expect(textOf(playedOf(cell).next)).toBe('Fine.');
  });

  it.each(cells.filter(({ fault }) => FAULTS[fault]?.code))(
    '$provider: $fault, $mode, is an event that says so',
    (cell) => {
      const { log, shown } = playedOf(cell);
      const errors = log.filter(({ errorCode }) => errorCode !== undefined);
      const { code, says } = FAULTS[cell.fault] ?? {};

      expect(errors.map(({ errorCode, errorMessage }) => [errorCode, errorMessage])).toEqual([
        [expect.stringMatching(code ?? ''), expect.stringMatching(says ?? '')],
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

  it.each(PROVIDERS)('$name: every request was in order', ({ name }) => {
    const ofIt = servers.filter((one) => one.name === name);

    expect(ofIt.flatMap(({ server }) => server.refused)).toEqual([]);
  });

  it('no key is in a log line, a span, an event or an answer', async () => {
    await waitUntil('spans of every cell', () => collector.spans.length > cells.length || undefined);
    const told = [...played.values()].map(({ shown, log }) => shown + JSON.stringify(log)).join('');
    for (const { apiKey } of PROVIDERS) {
      expect(told).not.toContain(apiKey);
      expect(skein.log()).not.toContain(apiKey);
      expect(collector.bodies.join('')).not.toContain(apiKey);
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
    return (
      FAULTS[said]?.does(provider) ?? { says: { parts: [{ text: said === 'go on' ? 'Fine.' : 'Done.' }] } }
    );
  };
}

/** The text the conversation ends with; none where it ends with a tool's result. */
function lastSaid({ turns }: Heard): string {
  const last = turns.at(-1)?.parts.at(-1);
  return last && 'text' in last ? last.text : '';
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
