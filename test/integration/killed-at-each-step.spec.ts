import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Content, type Event } from '@skein/contracts';
import { getFunctionCalls } from '@skein/engine';
import { normalForm } from '../conformance/normal-form';
import { byBranch } from '../conformance/played';
import { theTree } from '../conformance/the-tree';
import { Client } from '../support/client';
import { type ModelRequest, Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/**
 * Holds the run of session `after-<n>` when it has stored n events and is about to store the next, until there is a file
 * `go`. Of a run within a tool there is no log to count.
 */
const HOLD = `
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
class Hold extends BasePlugin {
  async onEventCallback({ invocationContext: { session, rootAgent } }) {
    if (rootAgent.name !== 'flow' || session.id !== 'after-' + session.events.length) return;
    writeFileSync(process.env.HOLD_DIR + '/' + session.id, String(process.pid));
    while (!existsSync(process.env.HOLD_DIR + '/go')) await pause(20);
  }
}
`;

interface Told {
  readonly events: readonly Event[];
  readonly state: Readonly<Record<string, unknown>>;
}

describe('a tree of agents whose runner is killed right after each of its steps', () => {
  const holdDir = mkdtempSync(path.join(tmpdir(), 'skein-hold-'));
  let skein: Skein;
  let client: Client;
  let whole: Told;
  let asked: readonly ModelRequest[];
  /** After how many events runners were killed, each in a session of its own. */
  let steps: readonly number[] = [];
  let killed: readonly Told[] = [];

  beforeAll(async () => {
    // Scaled down from 15 s and 2 s: they are the time until another runner goes on. A shorter lease is lost now and then by a
    // runner that nobody killed, where three suites share two cores; what is counted below would then be of that.
    const env = { LEASE_MS: '8000', SWEEP_MS: '300', HOLD_DIR: holdDir };
    const agents = { tree: theTree(`new Hold('hold')`, HOLD) };
    skein = await Skein.start({ agents, env });
    client = new Client(skein.url, 'tree');
    whole = await talk('whole');
    asked = requestsOf('whole');

    // A message of the user's is stored without asking a plugin, so no run is held right before one.
    steps = whole.events.flatMap((_event, index) => (whole.events[index]?.author === 'user' ? [] : [index]));
    const talks = Promise.all(steps.map((count) => talk(`after-${count}`)));
    talks.catch(() => undefined);
    for (const count of steps) await waitUntil(`session ${count} to be held`, () => isHeld(count));
    const pids = skein.pidsOf('runner');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    writeFileSync(path.join(holdDir, 'go'), '');
    killed = await talks;
  }, 180_000);

  afterAll(async () => {
    await skein?.stop();
    rmSync(holdDir, { recursive: true, force: true });
  }, 60_000);

  it('ends with the log and the state of the run nobody killed', () => {
    expect(whole.events).toHaveLength(32);
    expect(killed).toHaveLength(30);
    for (const told of killed) expect(comparable(told)).toEqual(comparable(whole));
  });

  it('asks its models the same, and none of them for an answer that is stored', () => {
    const repeated = steps.flatMap((count, index) => {
      const requests = requestsOf(`after-${count}`);
      expect(textsOf(requests)).toEqual(textsOf(asked));
      const twice = requests.filter((one, at) => requests.findIndex((other) => isSame(one, other)) < at);
      const answered = killed[index]?.events.slice(0, count).filter(isModelAnswer) ?? [];
      return twice.filter(
        ({ agent, ordinal }) => answered.filter(({ author }) => author === agent).length > ordinal,
      );
    });

    expect(repeated).toEqual([]);
  });

  async function talk(sessionId: string): Promise<Told> {
    await client.createSession(sessionId);
    await client.run(sessionId, 'go');
    await client.run(sessionId, approval((await client.getSession(sessionId)).events));
    return client.getSession(sessionId);
  }

  function isHeld(count: number): boolean {
    return existsSync(path.join(holdDir, `after-${count}`));
  }

  function requestsOf(sessionId: string): readonly ModelRequest[] {
    return skein.modelRequests().filter((request) => request.sessionId === sessionId);
  }
});

function approval(events: readonly Event[]): Content {
  const asked = events.flatMap(getFunctionCalls).find(({ name }) => name === 'adk_request_confirmation');
  const functionResponse = { id: asked?.id ?? '', name: asked?.name ?? '', response: { confirmed: true } };
  return { role: 'user', parts: [{ functionResponse }] };
}

/** Agents side by side: what each says keeps its order, which of them was first may differ from run to run. */
function comparable({ events, state }: Told): unknown {
  return normalForm({ events: byBranch(events), state });
}

/** What models were asked, each once: a call in flight at the kill is repeated. */
function textsOf(requests: readonly ModelRequest[]): string[] {
  const lines = requests.map(({ agent, ordinal, request: { contents, ...request } }) =>
    JSON.stringify(normalForm({ agent, ordinal, request, contents: bySide(contents) })),
  );
  return [...new Set(lines)].sort();
}

/** What `a` and `b` said side by side, one after the other; all else keeps its place before it and behind it. */
function bySide(contents: readonly Content[]): readonly Content[] {
  const sideOf = (content: Content): string => /"\[([ab])\] /.exec(JSON.stringify(content))?.[1] ?? '';
  const first = contents.findIndex((content) => sideOf(content) !== '');
  if (first < 0) return contents;
  const behind = contents.findIndex((content, index) => index > first && sideOf(content) === '');
  const end = behind < 0 ? contents.length : behind;
  const sides = contents.slice(first, end).toSorted((one, other) => sideOf(one).localeCompare(sideOf(other)));
  return [...contents.slice(0, first), ...sides, ...contents.slice(end)];
}

function isSame(one: ModelRequest, other: ModelRequest): boolean {
  return one.agent === other.agent && one.ordinal === other.ordinal;
}

function isModelAnswer({ content, customMetadata }: Event): boolean {
  return content?.role === 'model' && customMetadata?.['skein.skippedModel'] !== true;
}
