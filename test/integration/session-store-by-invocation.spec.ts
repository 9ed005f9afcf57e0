import { randomUUID } from 'node:crypto';
import { type Event, type Handover, type SessionKey } from '@skein/contracts';
import {
  cancelInvocation,
  createSession,
  endOverdueCancel,
  readEvents,
  readUnsentCalls,
  rewindSession,
  type StorePool,
  writeEvent,
} from '@skein/session-store';
import { pagesOf } from './pages-of';
import { answer, asking, completed, responses, startSegment } from './segments-harness';
import { aCall, aKey, anEvent, aUnit, SECRET, startRun, useStore } from './session-store-harness';

const store = useStore();

const LONG = 10_000;
/** What the events of a long session fill is many times that. */
const FEW_PAGES = 30;

describe('the end of a run that is cancelled', () => {
  it('reads none of the thousands of events its session had before', async () => {
    const key = aKey();
    await aLongSession(key);
    const run = await aRunThatAsks(key);
    await pagesOfAnEnd(); // Reads the catalog.
    const short = await pagesOfAnEnd();

    const pages = await pagesOf(store.pool, (pool) => cancel(key, run, pool));

    expect(pages).toBeLessThan(short + FEW_PAGES);
    expect((await eventsOf(key, LONG)).map(({ event }) => event.errorCode)).toEqual([
      undefined,
      undefined,
      'invocation.cancelled',
    ]);
  }, 60_000);

  it('closes calls of all its segments, and no other run of its session', async () => {
    const key = aKey();
    const asked = await startRun(store.pool, key);
    await store.batcher.append(aUnit(asked, 1, { has: [asking('c1', 'c2')], finish: { status: 'waiting' } }));
    const chat = await startRun(store.pool, key);
    await store.batcher.append(aUnit(chat, 1, { has: [asking('c3')], finish: completed }));
    await answer(store.pool, key, 'c1', { runnerId: 'runner-1' });

    await cancel(key, asked);

    // The first is what the user said.
    expect((await eventsOf(key, 2)).map(({ event }) => answeredBy(event))).toEqual([['c1'], ['c2'], []]);
  });

  it('closes nothing that another session was imported with under the name of its invocation', async () => {
    const key = aKey();
    const run = await aRunThatAsks(key);
    const events = [asking('c1'), asking('c2')].map((event) => ({
      ...event,
      invocationId: run.invocationId,
    }));
    const told = anEvent({ invocationId: run.invocationId, author: 'user', content: responses('c1') });
    await createSession(store.pool, { ...aKey(), events: [...events, told] });

    await cancel(key, run);

    expect((await eventsOf(key, 1)).map(({ event }) => answeredBy(event))).toEqual([['c1'], []]);
  });
});

describe('a call that is sent again', () => {
  const said = (text: string): Event =>
    anEvent({ author: 'user', content: { role: 'user', parts: [{ text }] } });
  const temp = (segment: number, mood: string) => ({
    stepKey: `${segment}/root.0/event.1.0`,
    kind: 'temp' as const,
    payload: { 'temp:mood': mood },
  });

  it('knows of its invocation what was said last, and temp: of its segment, whatever was said between', async () => {
    const key = aKey();
    const asked = await startRun(store.pool, key);
    const asks = { has: [said('first'), asking('c1')], records: [temp(0, 'gone')] };
    await store.batcher.append(aUnit(asked, 1, { ...asks, finish: { status: 'waiting' } }));
    const chat = await startRun(store.pool, key);
    await store.batcher.append(aUnit(chat, 1, { has: [said('other')], finish: completed }));
    const goesOn = await startSegment(store.pool, key, 'c1');
    const call = aCall();
    const calls = { has: [anEvent()], records: [temp(1, 'good')], calls: [call] };
    await store.batcher.append(aUnit(goesOn, 1, calls));

    const found = await readUnsentCalls(store.pool, { secret: SECRET, graceMs: -1_000 });

    const sent = found.find(({ message }) => message.call.dispatchId === call.dispatchId);
    expect(sent?.message).toMatchObject({
      userContent: said('first').content,
      state: { 'temp:mood': 'good' },
    });
  });

  it('costs no more where hundreds of its run, which has set temp: in each of its steps, are sent as well', async () => {
    const [steps, others] = [300, 50];
    const run = await startRun(store.pool, aKey());
    const has = Array.from({ length: steps }, () => anEvent());
    const records = has.map((_, n) => ({
      stepKey: `0/root.0/event.1.${n}`,
      kind: 'temp' as const,
      payload: { [`temp:${n}`]: n },
    }));
    await store.batcher.append(aUnit(run, 1, { has, records }));
    const unsent = (): Promise<number> =>
      pagesOnceRead((pool) => readUnsentCalls(pool, { secret: SECRET, graceMs: -1_000 }));
    const append = (no: number, count: number): Promise<unknown> =>
      store.batcher.append(
        aUnit(run, no, { calls: Array.from({ length: count }, (_, index) => aCall({ index })) }),
      );
    await append(2, 1);
    const one = await unsent();

    await append(3, others);
    const all = await unsent();

    expect(all).toBeLessThan(one + others * FEW_PAGES);
  });
});

describe('a rewind', () => {
  it('takes back what was imported, also of an invocation that another session has later', async () => {
    const key = aKey();
    const [copied, original] = [aKey(), aKey()];
    await aLongSession(original);
    const { invocationId } = await aRunThatAsks(original);
    const events = [asking('c1'), asking('c2')].map((event, n) => ({
      ...event,
      invocationId: n === 0 ? `e-${randomUUID()}` : invocationId,
    }));
    await createSession(store.pool, { ...copied, events });
    await createSession(store.pool, { ...key, events: [{ ...asking('c1'), invocationId: 'e-elsewhere' }] });

    await rewindSession(store.pool, {
      ...copied,
      eventId: randomUUID(),
      rewindBeforeInvocationId: invocationId,
    });
    await rewindSession(store.pool, {
      ...{ ...key, eventId: randomUUID() },
      rewindBeforeInvocationId: 'e-elsewhere',
    });

    const unmatched = { code: 'message.unmatched-response' };
    await expect(answer(store.pool, copied, 'c2')).rejects.toMatchObject(unmatched);
    await expect(answer(store.pool, key, 'c1')).rejects.toMatchObject(unmatched);
    expect((await answer(store.pool, copied, 'c1')).submitted.segment).toBe(0);
  }, 60_000);

  it('that names nobody, as one from elsewhere may, takes nothing back', async () => {
    const key = aKey();
    await createSession(store.pool, { ...key, events: [asking('c1'), anEvent()] });
    await store.pool.query(
      `UPDATE adk_events SET actions = '{"rewindBeforeInvocationId": null}' WHERE session_id = $1 AND seq = 2`,
      [key.sessionId],
    );

    expect((await answer(store.pool, key, 'c1')).submitted.segment).toBe(0);
  });

  it('is found among hundreds in one pass', async () => {
    const key = aKey();
    await aLongSession(key);
    const rewound = (n: number): Event =>
      anEvent({
        author: 'user',
        actions: { ...anEvent().actions, rewindBeforeInvocationId: `e-${LONG - n}` },
      });
    const takenBack = (): Promise<number> =>
      pagesOnceRead((pool) =>
        pool.query({
          text: 'SELECT skein_is_taken_back($1, $2, $3, 1)',
          values: [key.appName, key.userId, key.sessionId],
        }),
      );
    await writeEvent(store.pool, { ...key, event: rewound(0) });
    const one = await takenBack();

    for (let n = 1; n < 100; n++) await writeEvent(store.pool, { ...key, event: rewound(n) });
    const all = await takenBack();

    expect(all).toBeLessThan(one + 100 * FEW_PAGES);
  }, 60_000);
});

/** Fills a new session from outside. */
async function aLongSession(key: SessionKey): Promise<void> {
  await createSession(store.pool, { ...key, events: [anEvent()] });
  const values = [key.appName, key.userId, key.sessionId, LONG];
  await store.pool.query(
    `INSERT INTO adk_events (app_name, user_id, session_id, id, seq, invocation_id, author, content, "timestamp")
     SELECT $1, $2, $3, 'e' || n, n, 'e-' || n, 'agent',
            jsonb_build_object('parts', jsonb_build_array(jsonb_build_object('text', repeat('word ', 200)))), now()
       FROM generate_series(2, $4::int) n`,
    values,
  );
  await store.pool.query(
    'UPDATE adk_sessions SET last_seq = $4 WHERE app_name = $1 AND user_id = $2 AND id = $3',
    values,
  );
  await store.pool.query('VACUUM ANALYZE adk_events');
}

async function aRunThatAsks(key: SessionKey): Promise<Handover> {
  const run = await startRun(store.pool, key);
  await store.batcher.append(aUnit(run, 1, { has: [asking('c1')] }));
  return run;
}

/** Of a statement that its connection knows: the first time it reads the catalog as well. */
async function pagesOnceRead(read: (pool: StorePool) => Promise<unknown>): Promise<number> {
  await pagesOf(store.pool, read);
  return pagesOf(store.pool, read);
}

/** Of a session that had nothing before. */
async function pagesOfAnEnd(): Promise<number> {
  const key = aKey();
  const run = await aRunThatAsks(key);
  return pagesOf(store.pool, (pool) => cancel(key, run, pool));
}

/** Ends a run at once, whoever holds it. */
async function cancel(
  key: SessionKey,
  { invocationId }: Handover,
  pool: StorePool = store.pool,
): Promise<void> {
  await cancelInvocation(store.pool, { ...key, invocationId });
  await endOverdueCancel(pool, { ...key, invocationId });
}

function eventsOf(key: SessionKey, afterSeq: number): ReturnType<typeof readEvents> {
  return readEvents(store.pool, { ...key, afterSeq });
}

function answeredBy({ content }: Event): unknown[] {
  return (content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse?.id ?? []);
}
