import { S3ObjectStore } from '@skein/artifact-store';
import { Metrics, silentLogger } from '@skein/platform';
import { openStore } from '@skein/session-store';
import { type S3Call, S3TestServer, TcpProxy } from '@skein/testing';
import { OrphanCollection } from '../../apps/session-svc/src/sweeps/orphan-collection';
import { ServiceMetrics } from '../../apps/session-svc/src/service-metrics';
import { textOf } from '../support/client';
import { readStored, withDatabase } from './support/database';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { row } from './support/row';
import { aSessionId, effectsOf, say, untilEffect } from './support/scenes';

const BUCKET = 'skein';
const OWNER = 'artifacts/skein-owner';
/** Much less than a session-svc lets itself be told: a look of the test's own collects. */
const GRACE_MS = 10_000;
const SLOW_DOWN = { status: 503, code: 'SlowDown' };

interface StoredVersion {
  readonly session_id: string;
  readonly filename: string;
  readonly version: number;
  readonly object_key: string;
}

const isPut = ({ method, name }: S3Call): boolean => method === 'PUT' && name.length > 0 && name !== OWNER;
const isGet = ({ method, name }: S3Call): boolean => method === 'GET' && name.length > 0 && name !== OWNER;

describe('the object store fails', () => {
  let s3: S3TestServer;
  let proxy: TcpProxy;
  let fleet: Fleet;

  beforeAll(async () => {
    s3 = await S3TestServer.start();
    proxy = await TcpProxy.before(s3.endpoint);
    const { accessKey, secretKey, region } = s3.credentials;
    fleet = await Fleet.start({
      env: {
        // Scaled down from 15 s, 2 s and 30 s.
        LEASE_MS: '5000',
        SWEEP_MS: '300',
        ACK_WAIT_MS: '3000',
        S3_ENDPOINT: proxy.through(s3.endpoint),
        S3_REGION: region,
        S3_ACCESS_KEY: accessKey,
        S3_SECRET_KEY: secretKey,
        S3_BUCKET: BUCKET,
      },
    });
  }, 120_000);
  afterEach(() => {
    s3.fault = () => undefined;
    s3.contents.now = () => new Date();
    proxy.resume();
  });
  afterAll(async () => {
    await fleet?.stop();
    await proxy?.close();
    await s3?.stop();
  }, 60_000);

  const answerOf = async (sessionId: string, message: string): Promise<string> => {
    const { events, failure } = await say(fleet, sessionId, message, 'files');
    return failure ?? textOf(events.at(-1));
  };
  const versions = (): Promise<readonly StoredVersion[]> =>
    withDatabase(fleet.databaseUrl, async (client) => {
      const { rows } = await client.query<StoredVersion>('SELECT * FROM adk_artifacts');
      return rows;
    });
  const storedNames = (): string[] => [...s3.contents.bucket(BUCKET).keys()].filter((name) => name !== OWNER);

  /** No event refers to a version there is not, and no version to an object there is not. */
  async function checkReferences(): Promise<void> {
    const { events } = await readStored(fleet.databaseUrl);
    const known = await versions();
    const referred = events.flatMap(({ sessionId, actions }) =>
      Object.entries(actions?.artifactDelta ?? {}).map((entry) => [sessionId, ...entry].join(' ')),
    );
    expect(known.map((one) => [one.session_id, one.filename, one.version].join(' '))).toEqual(
      expect.arrayContaining(referred),
    );
    expect(storedNames()).toEqual(
      expect.arrayContaining(known.map(({ object_key: key }) => `artifacts/${key}`)),
    );
  }

  async function collectOrphans(): Promise<void> {
    const objects = new S3ObjectStore({ endpoint: s3.endpoint, ...s3.credentials, bucket: BUCKET });
    const metrics = new ServiceMetrics(new Metrics());
    const store = await openStore({ databaseUrl: fleet.databaseUrl });
    const parts = { pool: store.pool, objects, metrics, graceMs: GRACE_MS, logger: silentLogger };
    await new OrphanCollection(parts).collect();
    await store.close();
  }

  const faults: Readonly<Record<string, () => void>> = {
    'answers 503': () => {
      let times = 3;
      s3.fault = (call) => (isPut(call) && times-- > 0 ? SLOW_DOWN : undefined);
    },
    'answers 500': () => {
      let times = 3;
      s3.fault = (call) => (isPut(call) && times-- > 0 ? { status: 500, code: 'InternalError' } : undefined);
    },
    'is slow': () => proxy.delay(200),
    'has lost its connections without a word': () => proxy.hold('existing'),
    'does not show at once what was put': () => {
      let times = 2;
      s3.fault = (call) => (isGet(call) && times-- > 0 ? { status: 404, code: 'NoSuchKey' } : undefined);
    },
  };

  describe.each(Object.keys(faults))('it %s', (fault) => {
    row(
      'row 37: the call takes longer, and its version is there, once',
      async () => {
        const sessionId = aSessionId('row37');
        faults[fault]?.();

        expect(await answerOf(sessionId, 'keep')).toBe('keep gave {"version":0}');
        expect(await answerOf(sessionId, 'look')).toBe(`look gave {"text":"kept in ${sessionId}"}`);

        expect((await versions()).filter((one) => one.session_id === sessionId)).toHaveLength(1);
        await checkReferences();
      },
      // A connection that is dead without a word is given up after 15 s, that of each worker.
      120_000,
    );
  });

  row(
    'row 37: it is down: the model reads why, nothing refers to a version, and turns without it go on',
    async () => {
      const [sessionId, other] = [aSessionId('row37'), aSessionId('row37')];
      proxy.refuse();

      const failed = say(fleet, sessionId, 'keep', 'files');
      expect((await say(fleet, other, 'count')).failure).toBeUndefined();
      const { events, failure } = await failed;

      expect(failure ?? textOf(events.at(-1))).toContain('The object store cannot be reached');
      expect((await versions()).filter((one) => one.session_id === sessionId)).toEqual([]);
      proxy.resume();
      expect(await answerOf(aSessionId('row37'), 'keep')).toBe('keep gave {"version":0}');
      await checkReferences();
      await checkInvariants(fleet);
    },
  );

  row(
    'row 37: it has lost the bytes of a version: the model reads that, and takes it for no other',
    async () => {
      const sessionId = aSessionId('row37');
      await answerOf(sessionId, 'keep');
      s3.fault = (call) => (isGet(call) ? { status: 404, code: 'NoSuchKey' } : undefined);

      expect(await answerOf(sessionId, 'look')).toContain('are not in the object store');
    },
  );

  row(
    'row 38: a worker dies between the object and its version: it is saved once, and the first object is collected',
    async () => {
      const sessionId = aSessionId('row38');
      let orphan: string | undefined;
      s3.fault = (call) => {
        if (orphan !== undefined || !isPut(call)) return undefined;
        orphan = call.name;
        s3.contents.now = () => new Date(Date.now() - 10 * GRACE_MS);
        s3.contents.put(BUCKET, call.name, call.body);
        s3.contents.now = () => new Date();
        const { pid } = effectsOf(fleet, sessionId)[0] ?? { pid: 0 };
        void fleet.byOwner(pid).kill();
        return { silent: true };
      };

      const answer = answerOf(sessionId, 'keep');
      await untilEffect(fleet, sessionId, 'end');

      expect(await answer).toBe('keep gave {"version":0}');
      expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin', 'begin', 'end']);
      const mine = (await versions()).filter((one) => one.session_id === sessionId);
      expect(mine.map(({ version }) => version)).toEqual([0]);
      expect(mine.map(({ object_key: key }) => `artifacts/${key}`)).not.toContain(orphan);
      await collectOrphans();
      expect(storedNames()).not.toContain(orphan);
      await checkReferences();
      await checkInvariants(fleet);
    },
    90_000,
  );
});
