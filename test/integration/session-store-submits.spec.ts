import { randomUUID } from 'node:crypto';
import { AdkError, type SessionKey } from '@skein/contracts';
import { openStore, type Store, SubmitBatcher, type SubmitOutcome } from '@skein/session-store';
import { TcpProxy } from '@skein/testing';
import { aKey, aSubmit, LEASE_MS, useStore } from './session-store-harness';

const store = useStore();

type Request = Record<string, unknown> & { readonly runnerId?: string };

function submitBy(batcher: SubmitBatcher, key: SessionKey, request: Request = {}): Promise<SubmitOutcome> {
  const { runnerId = 'runner-1', ...body } = request;
  return batcher.submit(aSubmit(key, body), { runnerId, leaseMs: LEASE_MS });
}

/** Submits that arrive in one read of the socket. */
function together(
  ...requests: readonly (readonly [SessionKey, Request?])[]
): Promise<PromiseSettledResult<SubmitOutcome>[]> {
  const batcher = new SubmitBatcher(store.pool);
  return Promise.allSettled(requests.map(([key, request]) => submitBy(batcher, key, request)));
}

async function transactionsOf(keys: readonly SessionKey[]): Promise<number | undefined> {
  const { rows } = await store.pool.query<{ n: number }>(
    'SELECT count(DISTINCT xmin::text)::int AS n FROM adk_invocations WHERE session_id = ANY ($1)',
    [keys.map(({ sessionId }) => sessionId)],
  );
  return rows[0]?.n;
}

async function inputsOf({ sessionId }: SessionKey): Promise<number> {
  const { rows } = await store.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM adk_inputs d JOIN adk_invocations i ON i.id = d.invocation_id
      WHERE i.session_id = $1`,
    [sessionId],
  );
  return rows[0]?.n ?? 0;
}

const claimed = { status: 'fulfilled', value: { handover: { epoch: 1, attempt: 1 }, needsPointer: false } };
const queued = { status: 'fulfilled', value: { handover: undefined, needsPointer: false } };
const refused = (code: string) => ({ status: 'rejected', reason: { code } });

describe('submits that arrive together', () => {
  it('are one transaction, and each is answered what is its own', async () => {
    const keys = [aKey(), aKey(), aKey()];

    const outcomes = await together(
      ...keys.map((key, n): [SessionKey, Request] => [
        key,
        { runnerId: `runner-${n}`, newMessage: { role: 'user', parts: [{ text: `of ${n}` }] } },
      ]),
    );

    expect(await transactionsOf(keys)).toBe(1);
    for (const [n, key] of keys.entries()) {
      const input = { newMessage: { parts: [{ text: `of ${n}` }] } };
      expect(outcomes[n]).toMatchObject({
        status: 'fulfilled',
        value: { handover: { ...key, epoch: 1, input } },
      });
    }
    const { rows } = await store.pool.query(
      'SELECT session_id, owner FROM adk_invocations WHERE session_id = ANY ($1) ORDER BY owner',
      [keys.map(({ sessionId }) => sessionId)],
    );
    expect(rows).toEqual(keys.map(({ sessionId }, n) => ({ session_id: sessionId, owner: `runner-${n}` })));
  });

  it('for one session are queued in the order they came, and the first is claimed', async () => {
    const [key, other] = [aKey(), aKey()];

    const outcomes = await together([key], [other], [key], [key, { onBusy: 'reject' }], [key]);

    expect(outcomes).toMatchObject([claimed, claimed, queued, refused('session.busy'), queued]);
    expect(await transactionsOf([key, other])).toBe(1);
    const ids = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.submitted.invocationId : undefined,
    );
    const { rows } = await store.pool.query<{ id: string }>(
      'SELECT id FROM adk_invocations WHERE session_id = $1 ORDER BY queue_no',
      [key.sessionId],
    );
    expect(rows.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[4]]);
  });

  it('are refused each for itself', async () => {
    const [good, busy, used, late] = [aKey(), aKey(), aKey(), aKey()];
    const [usedKey, unusedKey] = [randomUUID(), randomUUID()];
    await together([busy], [used, { idempotencyKey: usedKey }]);
    const answer = { functionResponse: { id: 'adk-none', name: 'none', response: {} } };

    const outcomes = await together(
      [good],
      [aKey(), { autoCreateSession: false }],
      [busy, { onBusy: 'reject' }],
      [used, { idempotencyKey: usedKey, stateDelta: { other: true } }],
      [used, { idempotencyKey: unusedKey, isRepeat: true }],
      [used, { newMessage: { role: 'user', parts: [answer] } }],
      [used, { newMessage: undefined, invocationId: 'e-none' }],
      [late],
    );

    expect(outcomes).toMatchObject([
      claimed,
      refused('session.not-found'),
      refused('session.busy'),
      refused('submit.idempotency-mismatch'),
      refused('submit.unknown-key'),
      refused('message.unmatched-response'),
      refused('invocation.not-found'),
      claimed,
    ]);
    expect(await Promise.all([good, busy, used, late].map(inputsOf))).toEqual([1, 1, 1, 1]);
  });

  it.each(['idempotencyKey', 'requestId'])(
    'under one %s are one turn, in one session and in two',
    async (kind) => {
      const [key, other, neighbour] = [aKey(), aKey(), aKey()];
      const name = { [kind]: randomUUID() };

      const outcomes = await together([key, name], [neighbour], [key, name], [other, name]);

      const [first, neighbours, again] = outcomes.map((outcome) =>
        outcome.status === 'fulfilled'
          ? outcome.value.submitted.invocationId
          : AdkError.from(outcome.reason).code,
      );
      expect(again).toBe(first);
      expect(await inputsOf(neighbour)).toBe(1);
      expect(neighbours).not.toBe(first);
      expect((await inputsOf(key)) + (await inputsOf(other))).toBe(1);
    },
  );

  it('are stored when the database refuses one of them', async () => {
    const [one, bad, other] = [aKey(), aKey(), aKey()];

    const outcomes = await together(
      [one],
      [bad, { newMessage: { role: 'user', parts: [{ text: 'nul \u0000' }] } }],
      [other],
    );

    expect(outcomes).toMatchObject([claimed, refused('store.invalid'), claimed]);
    expect(await Promise.all([one, bad, other].map(inputsOf))).toEqual([1, 0, 1]);
  });

  it('do not wait for the one whose session somebody else holds', async () => {
    const [held, free] = [aKey(), aKey()];
    await together([held, { runnerId: 'runner-0' }]);
    const holder = await store.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM adk_sessions WHERE id = $1 FOR UPDATE', [held.sessionId]);
    const batcher = new SubmitBatcher(store.pool);

    const waiting = submitBy(batcher, held);
    const answered = await submitBy(batcher, free);
    const after = await submitBy(batcher, aKey());

    expect([answered, after]).toMatchObject([claimed.value, claimed.value]);
    await holder.query('COMMIT');
    holder.release();
    expect(await waiting).toMatchObject(queued.value);
  });

  it('from many sides at once, claim each session once and keep its numbers', async () => {
    const keys = Array.from({ length: 20 }, () => aKey());
    const batchers = Array.from({ length: 4 }, () => new SubmitBatcher(store.pool));

    await Promise.all(
      batchers.flatMap((batcher, n) =>
        (n % 2 ? keys : [...keys].reverse()).map((key) => submitBy(batcher, key)),
      ),
    );

    const { rows } = await store.pool.query(
      `SELECT count(*)::int AS n, count(*) FILTER (WHERE status = 'running')::int AS running, max(queue_no)::int AS last
         FROM adk_invocations WHERE session_id = ANY ($1) GROUP BY session_id`,
      [keys.map(({ sessionId }) => sessionId)],
    );
    expect(rows).toEqual(keys.map(() => ({ n: batchers.length, running: 1, last: batchers.length })));
  });
});

describe('row 24: an answer to submits that went together is lost', () => {
  let proxy: TcpProxy;
  let behind: Store;
  beforeAll(async () => {
    proxy = await TcpProxy.before(store.url);
    behind = await openStore({ databaseUrl: proxy.through(store.url), poolSize: 2 });
  });
  afterAll(async () => {
    await behind.close();
    await proxy.close();
  });

  it('those with a name are one turn each, and their claims are known; nobody knows of one without', async () => {
    const [named, keyed, nameless] = [aKey(), aKey(), aKey()];
    let isAsked = false;
    let isCut = false;
    proxy.tap((chunk, from) => {
      isAsked ||= from === 'client' && chunk.includes('submit-inputs');
      if (!isAsked || isCut || from !== 'server') return 'pass';
      isCut = true;
      return 'cut';
    });
    const batcher = new SubmitBatcher(behind.pool);

    const outcomes = await Promise.allSettled([
      submitBy(batcher, named, { requestId: randomUUID() }),
      submitBy(batcher, keyed, { idempotencyKey: randomUUID() }),
      submitBy(batcher, nameless),
    ]);

    expect(isCut).toBe(true);
    expect(outcomes).toMatchObject([claimed, claimed, refused('store.unavailable')]);
    expect(await Promise.all([named, keyed, nameless].map(inputsOf))).toEqual([1, 1, 1]);
  });
});
