import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtEntries } from '@skein/stack';
import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { backUp, restore } from './support/base-backup';
import { readStored, withDatabase } from './support/database';
import { Fleet } from './support/fleet';
import { untilAtRest } from './support/invariants';
import { sequenceProblems } from './support/problems';
import { row } from './support/row';
import { effectsOf, epochsOf, sameForm, say, untilEffect, untilWhole, withoutFault } from './support/scenes';

// Scaled down from 15 s, 2 s and 30 s: they are the time until somebody notices a death.
const SCALED = { LEASE_MS: '2000', SWEEP_MS: '300', ACK_WAIT_MS: '1500' };

describe('a database that was restored to an earlier moment', () => {
  let fleet: Fleet;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'skein-backup-'));
    fleet = await Fleet.start({ env: SCALED, runners: 1, toolWorkers: 1 });
  }, 120_000);

  afterAll(async () => {
    await fleet?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  row(
    'row 48: sessions are as they were then, what came later is dropped and told of, and NATS may know more',
    async () => {
      const expected = await withoutFault(fleet, 'both 4000');
      const client = new Client(fleet.url, 'errands');
      await say(fleet, 'talked', 'count 2');
      // A run that is under way in the backup, its calls sent.
      void say(fleet, 'under-way', 'both 4000');
      await untilEffect(fleet, 'under-way', 'begin');
      const then = await client.getSession('talked');
      const backup = await backUp(fleet, path.join(folder, 'backup'));

      // What nobody will know of afterwards, but NATS, the runner, the gateway and a client.
      const uid = await uidOf(fleet, 'talked');
      await say(fleet, 'talked', 'count 3');
      const lost = await client.getSession('talked');
      const stream = await openStream(client, 'talked');
      void say(fleet, 'unknown', 'wait 3000');
      await untilEffect(fleet, 'unknown', 'begin');
      const service = fleet.one('session-svc');
      service.isRestarted = false;
      const pid = await service.kill('SIGKILL');
      await fleet.postgres.end('SIGKILL');
      // Its result waits in RESULTS.
      await untilEffect(fleet, 'unknown', 'end');
      restore(backup);
      await fleet.postgres.start();
      await beginAnew(fleet);
      service.isRestarted = true;
      await service.untilRestarted(pid);
      await untilWhole(fleet);

      // Then, and only then.
      expect(await client.getSession('talked')).toEqual(then);
      expect(lost.events.length).toBeGreaterThan(then.events.length);
      expect((await client.request('GET', client.sessionPath('unknown'))).status).toBe(404);
      await fleet.untilLogged(/"stored":"unknown".*result dropped|result dropped.*"stored":"unknown"/);
      expect(await droppedResults(fleet)).toBeGreaterThan(0);

      // Whoever follows it is told that it is another, and whoever saw more than there is that there is no such event.
      expect(await stream.untilClosed()).toContain('session.deleted');
      expect(await uidOf(fleet, 'talked')).not.toBe(uid);
      const ahead = await fetch(
        `${fleet.url}${client.sessionPath('talked')}/events?after=${lost.events.length}`,
      );
      expect([ahead.status, await ahead.text()]).toEqual([400, expect.stringContaining('stream.unknown-id')]);

      // The run goes on under an epoch that no owner of before has, and ends as it would have.
      await untilAtRest(fleet, 60_000);
      expect(await sameForm(fleet, 'under-way')).toEqual(expected);
      expect(await epochsOf(fleet, 'under-way')).toBeGreaterThan(1_000_000);
      expect(effectsOf(fleet, 'unknown').filter(({ phase }) => phase === 'begin')).toHaveLength(1);

      // And everything works, under numbers that were given before.
      const { events } = await say(fleet, 'talked', 'count 3');
      expect(events.at(-1)?.content?.parts).toEqual([{ text: 'Counted to 5.' }]);
      const again = await say(fleet, 'unknown', 'count');
      expect(again.status).toBe(200);
      await untilAtRest(fleet, 30_000);
      expect(sequenceProblems(await readStored(fleet.databaseUrl))).toEqual([]);
    },
    240_000,
  );
});

async function beginAnew(fleet: Fleet): Promise<void> {
  const { databaseUrl, natsUrl, dataDir } = fleet;
  const entry = builtEntries().migrate.replace(/migrate\.js$/, 'restored.js');
  await promisify(execFile)(process.execPath, [entry], {
    env: { ...process.env, DATABASE_URL: databaseUrl, NATS_URL: natsUrl, DATA_DIR: dataDir },
  });
}

function uidOf(fleet: Fleet, sessionId: string): Promise<string | undefined> {
  return withDatabase(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<{ uid: string }>('SELECT uid FROM adk_sessions WHERE id = $1', [
      sessionId,
    ]);
    return rows[0]?.uid;
  });
}

/** Results that no call here waits for, as session-svc counts them since it began. */
async function droppedResults(fleet: Fleet): Promise<number> {
  const response = await fetch(`${fleet.one('session-svc').healthUrl}/metrics`);
  const line = /^skein_tool_results_total\{disposition="unknown"\} (\d+)/m.exec(await response.text());
  return Number(line?.[1] ?? 0);
}

/** Follows a session as a client does; answers all it was sent once the server closed it. */
async function openStream(
  client: Client,
  sessionId: string,
): Promise<{ untilClosed: () => Promise<string> }> {
  const response = await fetch(`${client.url}${client.sessionPath(sessionId)}/events`, {
    headers: { accept: 'text/event-stream' },
  });
  let said = '';
  let isClosed = false;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? [])
      said += decoder.decode(chunk as Uint8Array, { stream: true });
    isClosed = true;
  })();
  reading.catch(() => undefined);
  return {
    untilClosed: () => waitUntil('the stream to be closed', () => (isClosed ? said : undefined), 30_000),
  };
}
