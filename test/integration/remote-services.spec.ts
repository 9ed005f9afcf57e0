import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalObjectStore, StoredArtifactService } from '@skein/artifact-store';
import { subjects } from '@skein/contracts';
import { RemoteArtifactMetadata, RemoteMemoryService, RemoteSessionService } from '@skein/session-client';
import {
  anEvent,
  artifactServiceContract,
  aSession,
  memoryServiceContract,
  sessionServiceContract,
} from '@skein/testing';
import { z } from 'zod';
import { type RunningService, type ServiceGround, startServiceGround } from './session-svc-harness';
import { eventually } from './session-store-harness';

/** What PostgreSQL answers to `NOWAIT` (SQLSTATE). */
const LOCK_NOT_AVAILABLE = '55P03';

let ground: ServiceGround;
let service: RunningService;
let objectsDir: string;

beforeAll(async () => {
  ground = await startServiceGround();
  service = await ground.startService();
  objectsDir = await mkdtemp(path.join(tmpdir(), 'skein-objects-'));
}, 60_000);
afterAll(async () => {
  await service.stop();
  await ground.stop();
  await rm(objectsDir, { recursive: true });
});

const TABLES =
  'adk_sessions, adk_events, adk_invocations, adk_inputs, adk_tool_calls, adk_app_states, adk_user_states, adk_memory_entries, adk_artifacts';

/**
 * What the contracts call an empty service. The service's sweeps go on beside it and lock the tables in an order of their
 * own: it takes all of them or none, and waits for none while it holds others.
 */
async function emptied<T>(make: () => T): Promise<T> {
  await eventually('no sweep in the way', async () => {
    try {
      return await ground.database.pool.query(
        `DO $$ BEGIN LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE NOWAIT; TRUNCATE ${TABLES} CASCADE; END $$`,
      );
    } catch (error) {
      if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return undefined;
      throw error;
    }
  });
  return make();
}

sessionServiceContract('RemoteSessionService', () => emptied(() => new RemoteSessionService(ground.rpc)));

memoryServiceContract('RemoteMemoryService', () => emptied(() => new RemoteMemoryService(ground.rpc)));

artifactServiceContract('StoredArtifactService on Postgres', () =>
  emptied(
    () => new StoredArtifactService(new LocalObjectStore(objectsDir), new RemoteArtifactMetadata(ground.rpc)),
  ),
);

describe('memory of a stored session', () => {
  const key = { appName: 'app', userId: 'ada', sessionId: 's1' };
  const remember = (body: object) =>
    ground.rpc.request(subjects.memoryRpc('add'), z.unknown(), body, { timeoutMs: 5_000 });

  it('is taken from the store when no events are given, and stays when the session is deleted', async () => {
    const memory = await emptied(() => new RemoteMemoryService(ground.rpc));
    const sessions = new RemoteSessionService(ground.rpc);
    const content = { role: 'user', parts: [{ text: 'I live in Bern.' }] };
    await sessions.createSession({ ...key, events: [anEvent({ content })] });

    await remember(key);
    await remember(key);
    await sessions.deleteSession(key);

    const found = await memory.searchMemory({ appName: 'app', userId: 'ada', query: 'bern' });
    expect(found.memories.map((entry) => entry.content)).toEqual([content]);
  });

  it('is refused for a session that is not there', async () => {
    await expect(remember({ ...key, sessionId: 'none' })).rejects.toMatchObject({
      code: 'session.not-found',
    });
  });

  it('looks words up in an index', async () => {
    const memory = await emptied(() => new RemoteMemoryService(ground.rpc));
    const said = (n: number) => anEvent({ content: { role: 'user', parts: [{ text: `word${n} word` }] } });
    const events = Array.from({ length: 20 }, (_, n) => said(n));
    await memory.addSessionToMemory(aSession({ appName: 'app', userId: 'ada', id: 's1', events }));
    const client = await ground.database.pool.connect();
    await client.query('SET enable_seqscan = off');

    const { rows } = await client.query<Record<string, string>>(
      `EXPLAIN SELECT 1 FROM adk_memory_entries WHERE words && ARRAY['word3']`,
    );
    client.release(true);

    expect(JSON.stringify(rows)).toContain('adk_memory_entries_words');
  });
});
