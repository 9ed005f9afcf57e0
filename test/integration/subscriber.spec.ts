import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type EventPage, type StoredEvent } from '@skein/contracts';
import { parseNatsServers } from '@skein/messaging';
import { Pool } from 'pg';
import { Client } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/** Answers with a text as long as it is told to: a long one does not fit into a message of NATS. */
const AGENT = `
import { LlmAgent, ScriptedLlm } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'talker',
  model: new ScriptedLlm({
    rules: [{ when: /(?<length>\\d+)/, respond: ({ groups }) => 'x'.repeat(Number(groups?.length)) }],
  }),
});
`;
const root = path.join(__dirname, '..', '..');
const DEADLINE_MS = 60_000;
/** As the wire has to spell it otherwise in a subject. */
const STRANGE_ID = 'a.b ü';

let skein: Skein;
let client: Client;
let nats: NatsConnection;
let pool: Pool;
let output: string;
let subscriber: ChildProcess | undefined;

beforeAll(async () => {
  skein = await Skein.start({
    agents: { talker: AGENT },
    env: { RUNNERS: '1', TOOL_WORKERS: '1', SWEEP_MS: '300' },
  });
  client = new Client(skein.url, 'talker');
  nats = await connect({ ...parseNatsServers(skein.natsUrl) });
  pool = new Pool({ connectionString: skein.databaseUrl });
}, 60_000);
afterAll(async () => {
  await nats?.close();
  await pool?.end();
  await skein?.stop();
});

beforeEach(() => {
  output = mkdtempSync(path.join(tmpdir(), 'skein-subscriber-'));
});
afterEach(async () => {
  await end('SIGKILL');
  rmSync(output, { recursive: true, force: true });
});

function start(): void {
  const program = path.join(root, 'node_modules', 'jiti', 'lib', 'jiti-cli.mjs');
  const name = path.basename(output);
  const args = ['examples/subscriber/main.ts', '--output', output, '--name', name];
  subscriber = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, DATA_DIR: skein.dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Answers what the process ended with. */
async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  const child = subscriber;
  subscriber = undefined;
  if (child === undefined) return null;
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}

const say = (sessionId: string, text = '5') => client.run(sessionId, text, { autoCreateSession: true });

async function stored(sessionId: string): Promise<EventPage> {
  const { body } = await client.request<EventPage>('GET', `${client.sessionPath(sessionId)}/events`);
  return body;
}

function written(sessionUid: string): StoredEvent[] {
  const file = path.join(output, `${sessionUid}.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as StoredEvent);
}

/** Waits for the last event of each session, then compares all of them with what the API tells. */
async function expectAllOf(sessionIds: readonly string[]): Promise<void> {
  for (const sessionId of sessionIds) {
    const { sessionUid, lastSeq, events } = await stored(sessionId);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1));
    const isThere = () => written(sessionUid).length >= lastSeq || undefined;
    await waitUntil(`all events of ${sessionId}`, isThere, DEADLINE_MS);
    expect(written(sessionUid).map(withoutTime)).toEqual(events.map(withoutTime));
  }
}

/** `age` changes the time of what was written before. */
function withoutTime({ seq, event }: StoredEvent): unknown {
  return { seq, event: { ...event, timestamp: 0 } };
}

describe('the subscriber of examples', () => {
  it('row 12: has each event once and in order, killed while events come and away while others do', async () => {
    const sessions = ['killed-1', 'killed-2', STRANGE_ID];
    start();
    await Promise.all(sessions.map((id) => say(id)));
    await expectAllOf(sessions);

    const turns = Promise.all(sessions.map((id) => say(id).then(() => say(id))));
    await waitUntil('an event of these turns', async () => {
      const { sessionUid } = await stored('killed-1');
      return written(sessionUid).length > 2 || undefined;
    });
    await end('SIGKILL');
    await turns;
    await Promise.all([...sessions, 'born-while-away'].map((id) => say(id)));
    start();

    await expectAllOf([...sessions, 'born-while-away']);
    await say('killed-1');
    await expectAllOf(['killed-1']);
    expect(await end('SIGTERM')).toBe(0);
  }, 150_000);

  it('has an event that is too large for a message', async () => {
    start();

    await say('large', '400000');

    await expectAllOf(['large']);
  }, 90_000);

  it('row 16: reads over REST what a deleted stream does not have again, and drops what it repeats', async () => {
    const { streams } = await jetstreamManager(nats);
    start();
    await say('quiet');
    await say('spoken');
    await say('recent');
    await expectAllOf(['quiet', 'spoken', 'recent']);
    await end('SIGKILL');
    for (const id of ['quiet', 'spoken', 'recent', 'unknown']) await say(id);
    // Of what is ten minutes old, and was noted as published, nothing is published again.
    await untilNoted(['quiet', 'spoken', 'unknown']);
    await age(['quiet', 'spoken', 'unknown']);
    const { created } = await streams.info('EVENTS');

    await streams.delete('EVENTS');

    await waitUntil('another stream, with the recent session', async () => {
      const info = await streams.info('EVENTS', { subjects_filter: 'event.>' }).catch(() => undefined);
      return (
        (info !== undefined && info.created !== created && (await subjectsOf('recent')) >= 4) || undefined
      );
    });
    for (const id of ['spoken', 'unknown']) await say(id);
    const inStream = await Promise.all(['quiet', 'spoken', 'unknown'].map(subjectsOf));
    start();

    await expectAllOf(['quiet', 'spoken', 'recent', 'unknown']);
    expect(inStream).toEqual([0, 2, 2]);
  }, 150_000);

  it('row 16: goes on by itself when the stream is deleted under it', async () => {
    const { streams } = await jetstreamManager(nats);
    start();
    await say('under-it');
    await expectAllOf(['under-it']);

    await streams.delete('EVENTS');
    await say('under-it');
    await say('after-it');

    await expectAllOf(['under-it', 'after-it']);
  }, 150_000);

  it('keeps a session apart from one that was made again under its id', async () => {
    start();
    await say('twice');
    await expectAllOf(['twice']);
    const first = await stored('twice');

    await client.request('DELETE', client.sessionPath('twice'));
    await say('twice');

    await expectAllOf(['twice']);
    expect(written(first.sessionUid)).toEqual(first.events);
    expect(readdirSync(output)).toContain(`${first.sessionUid}.position.json`);
  }, 90_000);
});

/** How many messages of a session the stream holds. */
async function subjectsOf(sessionId: string): Promise<number> {
  const { streams } = await jetstreamManager(nats);
  const subject = `event.talker.ada.${sessionId}`;
  const { state } = await streams.info('EVENTS', { subjects_filter: subject });
  return state.subjects?.[subject] ?? 0;
}

async function untilNoted(sessionIds: readonly string[]): Promise<void> {
  await waitUntil('the note that all is published', async () => {
    const { rows } = await pool.query(
      'SELECT id FROM adk_sessions WHERE id = ANY ($1) AND published_seq = last_seq',
      [sessionIds],
    );
    return rows.length === sessionIds.length || undefined;
  });
}

/** As if it had been an hour ago. */
async function age(sessionIds: readonly string[]): Promise<void> {
  await pool.query(
    `UPDATE adk_events SET "timestamp" = "timestamp" - interval '1 hour' WHERE session_id = ANY ($1)`,
    [sessionIds],
  );
  await pool.query(
    `UPDATE adk_invocations SET stopped_at = stopped_at - interval '1 hour' WHERE session_id = ANY ($1)`,
    [sessionIds],
  );
}
