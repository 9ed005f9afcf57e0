import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Event, type Session } from '@skein/contracts';
import { getFunctionCalls } from '@skein/engine';
import { normalForm } from '../../conformance/normal-form';
import { withDatabase } from '../../chaos/support/database';
import { type Fleet } from '../../chaos/support/fleet';
import { fixture, makeSqliteSource, runImportCommand } from '../../integration/import-harness';
import { Client } from '../../support/client';
import { waitUntil } from '../../support/wait-until';

export const GOLDEN_SESSION = 'golden-1';

/** What a golden run came to: its log and state without ids and times. */
export type GoldenEnd = Pick<Session, 'events' | 'state'>;

/** A session the run remembers, and sessions of another ADK beside it. */
export async function beforeGoldenRun(fleet: Fleet): Promise<void> {
  const client = new Client(fleet.url, 'golden');
  await client.createSession('older');
  await client.run('older', 'Ada was here');
  await client.addToMemory('older');
  // What is deleted leaves the key of its object behind, until that is collected.
  const artifacts = `${client.sessionPath('older')}/artifacts`;
  await client.request('POST', artifacts, { filename: 'gone.txt', artifact: { text: 'gone' } });
  await client.request('DELETE', `${artifacts}/gone.txt`);
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-golden-import-'));
  const from = makeSqliteSource(path.join(folder, 'session.db'), fixture('adk-js.sqlite'));
  const { code, output } = await runImportCommand(['--from', from], { databaseUrl: fleet.databaseUrl });
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`the import failed: ${output}`);
}

/** Begins the run that stands still while HOLD_FILE exists; settles once all that it stores is stored. */
export async function beginGoldenRun(fleet: Fleet): Promise<void> {
  const client = new Client(fleet.url, 'golden');
  await client.createSession(GOLDEN_SESSION, { title: 'None', 'user:name': 'Ada' });
  await client.patchSession(GOLDEN_SESSION, { 'app:tax': 0.2 });
  // Streamed: what a tool tells of its progress is sent to nobody else.
  void client.runSse(GOLDEN_SESSION, 'go').catch(() => undefined);
  await waitUntil('the run to stand still', () =>
    withDatabase(fleet.databaseUrl, async (database) => {
      const { rowCount } = await database.query(
        `SELECT 1 FROM adk_tool_calls t JOIN adk_invocations i ON i.id = t.invocation_id
          WHERE i.session_id = $1 AND t.tool IN ('quick', 'broken') AND t.result IS NOT NULL AND t.applied_seq IS NULL`,
        [GOLDEN_SESSION],
      );
      return rowCount === 2 || undefined;
    }),
  );
}

/** Once nothing holds it any more: waits until it asks, answers, and tells how it ended. */
export async function endGoldenRun(fleet: Fleet): Promise<GoldenEnd> {
  const client = new Client(fleet.url, 'golden');
  const asked = await waitUntil(
    'the run to ask',
    async () => {
      const { status, body } = await client.request<Session>('GET', client.sessionPath(GOLDEN_SESSION));
      return status === 200 ? body.events.find(isAsking) : undefined;
    },
    60_000,
  );
  const id = getFunctionCalls(asked)[0]?.id ?? '';
  const functionResponse = { id, name: 'ask', response: { allowed: true } };
  await waitUntil('the answer to be taken', async () => {
    const { status } = await client.run(GOLDEN_SESSION, { role: 'user', parts: [{ functionResponse }] });
    return status === 200 || undefined;
  });
  const { events, state } = await client.getSession(GOLDEN_SESSION);
  return normalForm({ events, state });
}

function isAsking(event: Event): boolean {
  return getFunctionCalls(event).some(({ name }) => name === 'ask');
}
