import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claimedSchema, type StepRecord, subjects } from '@skein/contracts';
import { connectNats, LocalPayloadStore, RpcClient } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { AppendBatcher, createSession, releaseInvocation } from '@skein/session-store';
import { type ServiceGround, startServiceGround } from './session-svc-harness';
import { aKey, aUnit, LEASE_MS, SECRET, startRun } from './session-store-harness';

let ground: ServiceGround;
let stop: () => Promise<void>;

beforeAll(async () => {
  ground = await startServiceGround();
  const service = await ground.startService();
  stop = () => service.stop();
}, 60_000);
afterAll(async () => {
  await stop();
  await ground.stop();
});

/** 5 MB in 50 steps and 50 events of an agent that runs as a tool. */
const records = Array.from({ length: 100 }, (_, n): StepRecord => ({
  stepKey: `0/root.0/step.${n}`,
  kind: n % 2 === 0 ? 'step' : 'child',
  payload: { n, text: 'x'.repeat(50_000) },
}));

/** An invocation whose runner left it after it had stored all that. */
async function aLeftInvocation(): Promise<string> {
  const { pool } = ground.database;
  const key = aKey();
  await createSession(pool, key);
  const run = await startRun(pool, key);
  await new AppendBatcher(pool, { secret: SECRET, leaseMs: LEASE_MS }).append(aUnit(run, 1, { records }));
  await releaseInvocation(pool, run.invocationId, run.epoch);
  return run.invocationId;
}

function claimBy(rpc: RpcClient, runnerId: string, invocationId: string) {
  const claim = { runnerId, invocationId, claimId: randomUUID() };
  return rpc.request(subjects.sessionRpc('claim'), claimedSchema, claim, { timeoutMs: 5_000 });
}

describe('a journal of 5 MB', () => {
  it('comes whole to another runner that has the same payload store, as one body', async () => {
    const invocationId = await aLeftInvocation();

    const { handover } = await claimBy(ground.rpc, 'runner-2', invocationId);

    const byKey = (one: StepRecord, other: StepRecord): number => one.stepKey.localeCompare(other.stepKey);
    expect(handover?.records.toSorted(byKey)).toEqual(records.toSorted(byKey));
  });

  it('is refused by a runner without it, never run in part', async () => {
    const invocationId = await aLeftInvocation();
    const dataDir = await mkdtemp(path.join(tmpdir(), 'skein-elsewhere-'));
    const payloads = new LocalPayloadStore(dataDir);
    const options = { name: 'elsewhere', logger: silentLogger, payloadLimitBytes: 262_144 };
    const connection = await connectNats({ ...options, url: ground.natsUrl, payloads });

    const claimed = claimBy(new RpcClient(connection), 'runner-3', invocationId);

    await expect(claimed).rejects.toMatchObject({ code: 'payload.missing' });
    expect(await readdir(dataDir)).toEqual([]);
    await connection.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});
