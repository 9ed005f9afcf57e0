import { type Handover } from '@skein/contracts';
import {
  AppendBatcher,
  markPublished,
  noteRewound,
  noteStreamBirths,
  readRewound,
  rewindPublished,
} from '@skein/session-store';
import {
  aKey,
  anEvent,
  aUnit,
  eventually,
  LEASE_MS,
  SECRET,
  startRun,
  useStore,
} from './session-store-harness';

const store = useStore();

async function theStreamIs(created: string): Promise<void> {
  await noteStreamBirths(store.pool, [{ name: 'EVENTS', created }]);
}

/** A batcher of a process that has published all events, into that stream. */
function aBatcher(sessionUid: () => string, stream: string | undefined): AppendBatcher {
  const publishedOf = () => ({ sessionUid: sessionUid(), seq: 3, stream });
  return new AppendBatcher(store.pool, { secret: SECRET, leaseMs: LEASE_MS, publishedOf });
}

/** A run with three events, published or not. */
async function aRun(stream?: string): Promise<Handover> {
  const run = await startRun(store.pool, aKey());
  const batcher = aBatcher(() => run.sessionUid, stream);
  await batcher.append(aUnit(run, 1, { has: [anEvent(), anEvent(), anEvent()] }));
  return run;
}

async function publishedSeq({ sessionId }: Handover): Promise<number> {
  const { rows } = await store.pool.query<{ seq: number }>(
    'SELECT published_seq::int AS seq FROM adk_sessions WHERE id = $1',
    [sessionId],
  );
  return rows[0]?.seq ?? NaN;
}

function note({ appName, userId, sessionId, sessionUid }: Handover, stream: string): Promise<void> {
  return markPublished(store.pool, [{ key: { appName, userId, sessionId }, sessionUid, seq: 3, stream }]);
}

describe('what is published', () => {
  it('row 16: is noted by an append of the present stream only, also when the append began before the loss', async () => {
    await theStreamIs('first');
    const run = await aRun('none');
    expect(await publishedSeq(run)).toBe(0);

    await theStreamIs('second');
    await aBatcher(() => run.sessionUid, 'first').append(aUnit(run, 2, { has: [anEvent()] }));
    expect(await publishedSeq(run)).toBe(0);
    await aBatcher(() => run.sessionUid, undefined).append(aUnit(run, 3, { has: [anEvent()] }));
    expect(await publishedSeq(run)).toBe(0);

    await aBatcher(() => run.sessionUid, 'second').append(aUnit(run, 4, { has: [anEvent()] }));
    expect(await publishedSeq(run)).toBe(3);
  });

  it('row 16: is noted without an append of the present stream only', async () => {
    await theStreamIs('third');
    const run = await aRun('none');
    await theStreamIs('fourth');

    await note(run, 'third');
    expect(await publishedSeq(run)).toBe(0);
    await note(run, 'fourth');
    expect(await publishedSeq(run)).toBe(3);
  });

  it('row 16: is taken back also where an append that notes it was under way', async () => {
    await theStreamIs('fifth');
    const run = await aRun('none');
    const client = await store.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('UPDATE adk_sessions SET published_seq = 3 WHERE id = $1', [run.sessionId]);
      const rewound = rewindPublished(store.pool);
      await eventually('it waits for the append', async () => {
        const { rows } = await store.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted');
        return rows.length > 0 ? true : undefined;
      });
      await client.query('COMMIT');
      await rewound;
    } finally {
      client.release();
    }

    expect(await publishedSeq(run)).toBe(0);
  });

  it('row 16: is known to be taken back for the stream it was done for', async () => {
    await theStreamIs('sixth');
    expect(await readRewound(store.pool, 'EVENTS')).toBeUndefined();
    await noteRewound(store.pool, { name: 'EVENTS', created: 'sixth' });
    expect(await readRewound(store.pool, 'EVENTS')).toBe('sixth');

    await theStreamIs('seventh');
    await noteRewound(store.pool, { name: 'EVENTS', created: 'sixth' });
    expect(await readRewound(store.pool, 'EVENTS')).toBe('sixth');
    expect(await readRewound(store.pool, 'TOOLS')).toBeUndefined();
  });
});
