import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ProviderServer, type ReceivedRequest } from '@skein/testing';
import { textOf } from '../support/client';
import { PROVIDERS, startProviders, type TestedProvider } from '../support/provider-servers';
import { writeAgents } from '../support/skein';
import { waitUntil } from '../support/wait-until';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { Proxies } from './support/proxies';
import { row } from './support/row';
import { aSessionId, sameForm, untilOwned, untilWhole } from './support/scenes';
import { takeTurn, type Turn } from './support/turn';

// Scaled down from 15 s and 2 s: they are the time until somebody notices a death.
const SCALED = { LEASE_MS: '1500', SWEEP_MS: '300' };
const RUNNERS = ['runner-1', 'runner-2'];

function agentFile({ className, model, apiKey }: TestedProvider, baseUrl: string): string {
  return `
import { ${className}, LlmAgent } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'teller',
  model: new ${className}({ model: '${model}', apiKey: '${apiKey}', baseUrl: '${baseUrl}' }),
});
`;
}

/** Its first pieces name who says them. */
function storyOf(name: string): string {
  return `${name}-begins and goes on for a while, until in the end everybody is where they should be.`;
}

describe('a model answers when its runner is killed', () => {
  const proxies = new Proxies(RUNNERS);
  const agentsDir = mkdtempSync(path.join(tmpdir(), 'skein-tellers-'));
  let servers: ReadonlyMap<string, ProviderServer> = new Map();
  let fleet: Fleet;

  beforeAll(async () => {
    servers = await startProviders();
    for (const [name, server] of servers) stopInTheMiddleOnce(server, storyOf(name));
    const files = PROVIDERS.map((one) => [one.name, agentFile(one, serverOf(one.name).baseUrl)]);
    writeAgents(agentsDir, Object.fromEntries(files) as Record<string, string>);
    fleet = await Fleet.start({ ...proxies.options(), agentsDir, env: SCALED, runners: RUNNERS.length });
  }, 120_000);

  afterAll(async () => {
    await fleet?.stop();
    await proxies.close();
    await Promise.all([...servers.values()].map((server) => server.stop()));
    rmSync(agentsDir, { recursive: true, force: true });
  }, 60_000);

  function serverOf(name: string): ProviderServer {
    const server = servers.get(name);
    if (!server) throw new Error(`no server speaks as ${name}`);
    return server;
  }

  /** Settles once each provider's first words have left a runner. */
  async function untilAllBegan(): Promise<void> {
    const begun = new Set<string>();
    for (const runner of RUNNERS) {
      proxies.nats(runner).tap((chunk, from) => {
        const text = from === 'client' ? chunk.toString('latin1') : '';
        for (const { name } of PROVIDERS) if (text.includes(`${name}-b`)) begun.add(name);
        return 'pass';
      });
    }
    await waitUntil('every model to begin', () => begun.size === PROVIDERS.length || undefined);
    proxies.heal();
  }

  /** Settles once each provider was asked, of which it answers half. */
  async function untilAllAsked(message: string): Promise<void> {
    const isAsked = ({ name }: TestedProvider) => askedFor(serverOf(name), message).length > 0;
    await waitUntil('every model to be asked', () => PROVIDERS.every(isAsked) || undefined);
  }

  /** Kills all runners in the middle of every provider's first answer to a message; the answers that come in the end. */
  async function killInTheMiddle(message: string, stream: boolean): Promise<TakenTurn[]> {
    const scenes = PROVIDERS.map(({ name }) => ({ name, sessionId: aSessionId(`row4-${name}`) }));
    const began = stream ? untilAllBegan() : untilAllAsked(message);
    const url = () => fleet.url;
    const taken = Promise.all(
      scenes.map(async ({ name, sessionId }) => ({
        name,
        sessionId,
        turn: await takeTurn({ url, app: name, sessionId, message, stream }),
      })),
    );
    taken.catch(() => undefined); // Whoever awaits it hears of it.
    await Promise.all(scenes.map(({ sessionId }) => untilOwned(fleet, sessionId)));
    await began;

    await Promise.all(RUNNERS.map((runner) => fleet.one(runner).kill()));
    return taken;
  }

  async function expectOneAnswer({ name, sessionId, turn }: TakenTurn, message: string): Promise<void> {
    expect([name, turn.failure, turn.events.map(textOf)]).toEqual([name, undefined, [storyOf(name)]]);
    const { events } = await sameForm(fleet, sessionId, name);
    expect([name, events.map(textOf)]).toEqual([name, [message, storyOf(name)]]);
    const asked = askedFor(serverOf(name), message);
    expect([name, asked.length]).toEqual([name, 2]);
    expect(asked[1]?.body).toEqual(asked[0]?.body);
    expect(serverOf(name).refused).toEqual([]);
  }

  row('row 4: kill -9 of the runners while every adapter streams', async () => {
    for (const taken of await killInTheMiddle('tell', true)) {
      await expectOneAnswer(taken, 'tell');
      const { name, turn } = taken;
      expect([name, turn.streams.map(({ resets }) => resets)]).toEqual([name, [1]]);
      expect(turn.streams[0]?.chunks).toBeGreaterThan(0);
    }
    await untilWhole(fleet);
    await checkInvariants(fleet);
  });

  row("row 4: kill -9 of the runners in the middle of every adapter's whole answer", async () => {
    for (const taken of await killInTheMiddle('tell whole', false))
      await expectOneAnswer(taken, 'tell whole');
    await untilWhole(fleet);
    await checkInvariants(fleet);
  });
});

interface TakenTurn {
  readonly name: string;
  readonly sessionId: string;
  readonly turn: Turn;
}

function askedFor(server: ProviderServer, message: string): readonly ReceivedRequest[] {
  return server.received.filter(({ body }) => JSON.stringify(body).includes(`"${message}"`));
}

/** The first answer to each message begins and falls silent; all others are whole. */
function stopInTheMiddleOnce(server: ProviderServer, story: string): void {
  const told = new Set<string>();
  server.otherwise = (request) => {
    const says = { parts: [{ text: story }] };
    const message = JSON.stringify(server.dialect.hear(request).turns);
    if (told.has(message)) return { says };
    told.add(message);
    return { says, breaks: { at: 'begun', how: 'hang' } };
  };
}
