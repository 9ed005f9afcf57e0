import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AgentLoader } from '@skein/agent-loader';
import { type Event, type Session } from '@skein/contracts';
import { InMemoryArtifactService, InMemorySessionService, Runner } from '@skein/engine';
import { Client } from '../support/client';
import { Skein, writeAgents } from '../support/skein';
import { cases, type ConformanceCase } from './cases';
import { normalForm } from './normal-form';

const sources = Object.fromEntries(Object.entries(cases).map(([app, { source }]) => [app, source]));

/** What a case looks like from outside: the events of each turn, the session afterwards, what the model was asked. */
interface Played {
  readonly turns: readonly unknown[];
  readonly stored: unknown;
  readonly state: unknown;
  readonly asked: readonly unknown[];
}

describe('an agent behaves the same in one process and over four services', () => {
  let skein: Skein;
  let folder: string;
  let loader: AgentLoader;
  let logFile: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'skein-conformance-'));
    logFile = path.join(folder, 'requests.jsonl');
    writeAgents(folder, sources);
    loader = new AgentLoader({ agentsDir: folder, environment: { SCRIPTED_LLM_LOG: logFile } });
    skein = await Skein.start({ agents: sources });
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it.each(Object.entries(cases).map(([app, played]) => ({ app, says: played.says, played })))(
    '$says',
    async ({ app, played }) => {
      const here = await playInProcess(app, played);
      const there = await playOverServices(app, played);

      expect(there).toEqual(here);
      expect(here.turns).toMatchSnapshot();
    },
  );

  async function playInProcess(appName: string, { turns }: ConformanceCase): Promise<Played> {
    const { rootAgent: agent } = await loader.load(appName);
    const sessionService = new InMemorySessionService();
    const artifactService = new InMemoryArtifactService();
    const runner = new Runner({ appName, agent, sessionService, artifactService });
    const key = { appName, userId: 'ada', sessionId: 's' };
    await sessionService.createSession(key);
    const shown: unknown[] = [];
    for (const text of turns) {
      const events: Event[] = [];
      const run = runner.runAsync({ ...key, newMessage: { role: 'user', parts: [{ text }] } });
      try {
        for await (const event of run) events.push(event);
        shown.push(normalForm(events));
      } catch (error) {
        shown.push({ failed: (error as Error).message });
      }
    }
    return playedOf(shown, await sessionService.getSession(key), readFileSync(logFile, 'utf8'), appName);
  }

  async function playOverServices(app: string, { turns }: ConformanceCase): Promise<Played> {
    const client = new Client(skein.url, app);
    await client.createSession('s');
    const shown: unknown[] = [];
    for (const text of turns) {
      const { status, body } = await client.run('s', text);
      shown.push(status === 200 ? normalForm(body) : { failed: reasonOf(body) });
    }
    const log = readFileSync(path.join(skein.dataDir, 'requests.jsonl'), 'utf8');
    return playedOf(shown, await client.getSession('s'), log, app);
  }
});

function playedOf(turns: readonly unknown[], session: Session | undefined, log: string, app: string): Played {
  const asked = log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { app: string; ordinal: number; request: unknown })
    .filter((line) => line.app === app)
    .map(({ ordinal, request }) => normalForm([{ ordinal, request } as never]));
  return { turns, stored: normalForm(session?.events ?? []), state: session?.state, asked };
}

/** The gateway puts the code before the sentence. */
function reasonOf(body: unknown): string {
  return (body as { detail: string }).detail.replace(/^[^:]+: /, '');
}
