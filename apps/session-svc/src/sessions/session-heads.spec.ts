import { type AppendUnit, type Event, type Handover, type SessionKey } from '@skein/contracts';
import { type StoredChain } from '@skein/session-store';
import { SessionHeads } from './session-heads';

const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's' };
const RUNNER = 'runner-1';

function aClaim(over: Partial<Handover> = {}): Handover {
  return {
    ...KEY,
    ...{ sessionUid: 'uid', invocationId: 'e-1', epoch: 4, lastSeq: 7, lastUpdateTime: 1 },
    ...{ sessionState: { a: 1 }, userState: { b: 2 }, appState: { c: 3 } },
    ...over,
  } as Handover;
}

/** Of the run that `aClaim` began. */
function aChain(
  { isLast = true, ...over }: Partial<StoredChain> & { isLast?: boolean; epoch?: number } = {},
  deltas: readonly Record<string, unknown>[] = [{}],
): StoredChain {
  const { baseSeq = 7, epoch = 4 } = over;
  const unit = { ...KEY, epoch, ...(isLast && { finish: { status: 'completed' } }) } as AppendUnit;
  const events = deltas.map((stateDelta, index) => ({
    seq: baseSeq + index + 1,
    stepKey: '0',
    event: { actions: { stateDelta } } as unknown as Event,
  }));
  return { units: [unit], sessionUid: 'uid', baseSeq, events, clockMs: 5_000, ...over } as StoredChain;
}

/** What is known of a session after a claim and what was stored behind it. */
function headAfter(claim: Handover, ...chains: readonly StoredChain[]) {
  const heads = new SessionHeads(true);
  heads.claimed(claim, RUNNER);
  for (const chain of chains) heads.stored(chain);
  return heads.freeHead(KEY, RUNNER);
}

describe('the heads of sessions', () => {
  it('are those of the claim with what was stored since, once the run has ended', () => {
    const stored = [
      aChain({ isLast: false }, [
        { a: 2, 'user:b': 3 },
        { x: 1, 'temp:y': 1 },
      ]),
      aChain({ baseSeq: 9 }, [{ a: null, 'app:d': 4 }]),
    ];

    expect(headAfter(aClaim(), ...stored)).toEqual({
      ...{ sessionUid: 'uid', epoch: 4, lastSeq: 10, updatedSeconds: 5 },
      scopes: { session: { a: null, x: 1 }, user: { b: 3 }, app: { c: 3, d: 4 } },
    });
  });

  it('keep a key that is called __proto__', () => {
    const delta = JSON.parse('{"__proto__": {"admin": true}}') as Record<string, unknown>;

    const head = headAfter(aClaim(), aChain({}, [delta]));

    expect(JSON.stringify(head?.scopes.session)).toBe('{"a":1,"__proto__":{"admin":true}}');
  });

  it('say when a unit without events was stored behind others that the session was written then', () => {
    const stored = [aChain({ isLast: false }), aChain({ baseSeq: 8, clockMs: 9_000 }, [])];

    expect(headAfter(aClaim(), ...stored)).toMatchObject({ lastSeq: 8, updatedSeconds: 5 });
  });

  const nextClaim = { invocationId: 'e-2', runnerId: RUNNER, epoch: 5 };
  it.each<[string, readonly StoredChain[]]>([
    ['that is still run', [aChain({ isLast: false })]],
    ['in which the next message was claimed with the end', [aChain({ nextClaim })]],
    ['to which somebody else wrote', [aChain({ baseSeq: 8 })]],
    ['that another run has', [aChain({ epoch: 5 })]],
    ['that was deleted and made again', [aChain({ sessionUid: 'other' })]],
    ['whose state has become large', [aChain({}, [{ large: 'x'.repeat(5_000) }])]],
    ['of a user whose state has become large', [aChain({}, [{ 'user:large': 'x'.repeat(5_000) }])]],
    ['of an app whose state has become large', [aChain({}, [{ 'app:large': 'x'.repeat(5_000) }])]],
  ])('are not told of a session %s', (_what, chains) => {
    expect(headAfter(aClaim(), ...chains)).toBeUndefined();
  });

  it.each<[string, Partial<Handover>]>([
    ['session', { sessionState: { large: 'x'.repeat(5_000) } }],
    ['user', { userState: { large: 'x'.repeat(5_000) } }],
    ['app', { appState: { large: 'x'.repeat(5_000) } }],
  ])('are not told where the state of the %s is large', (_what, over) => {
    expect(headAfter(aClaim(over), aChain())).toBeUndefined();
  });

  it('are those of what other sessions wrote of the same user and app', () => {
    const heads = new SessionHeads(true);
    heads.claimed(aClaim(), RUNNER);
    heads.stored(aChain());
    const other = { ...KEY, sessionId: 'other' };
    heads.claimed(aClaim({ ...other, userState: { b: 8 }, appState: { c: 9 } }), RUNNER);
    const chain = aChain({}, [{ 'user:b': 9 }]);
    heads.stored({ ...chain, units: [{ ...chain.units[0], ...other }] });

    expect(heads.freeHead(KEY, RUNNER)?.scopes).toEqual({ session: { a: 1 }, user: { b: 9 }, app: { c: 9 } });
  });

  it('are told for the runner of the last run alone', () => {
    const heads = new SessionHeads(true);
    heads.claimed(aClaim(), RUNNER);
    heads.stored(aChain());

    expect(heads.freeHead(KEY, 'runner-2')).toBeUndefined();
  });

  it('are not told for a message that is stored already under its key, in whichever session of its user', () => {
    const heads = new SessionHeads(true);
    heads.claimed(aClaim(), RUNNER);
    heads.stored(aChain());
    heads.sent({ ...KEY, idempotencyKey: 'k-1' });
    heads.sent({ ...KEY, sessionId: 'other', idempotencyKey: 'k-2' });
    heads.sent({ ...KEY, userId: 'eve', idempotencyKey: 'k-3' });
    heads.sent(KEY);

    const told = ['k-1', 'k-2', 'k-3', 'k-4', undefined].map(
      (idempotencyKey) =>
        heads.freeHead(idempotencyKey === undefined ? KEY : { ...KEY, idempotencyKey }, RUNNER)?.lastSeq,
    );
    expect(told).toEqual([undefined, undefined, 8, 8, 8]);
  });

  it('are not told of a session whose head was given to a message, until that has its turn behind it', () => {
    const heads = new SessionHeads(true);
    heads.claimed(aClaim(), RUNNER);
    heads.stored(aChain());

    heads.taken(KEY);

    expect(heads.freeHead(KEY, RUNNER)).toBeUndefined();
    heads.claimed(aClaim({ epoch: 5, lastSeq: 9 }), RUNNER);
    heads.stored(aChain({ epoch: 5, baseSeq: 9 }));
    expect(heads.freeHead(KEY, RUNNER)).toMatchObject({ lastSeq: 10 });
  });

  it('are not remembered beside another session-svc, which may have stored what this one has not seen', () => {
    const heads = new SessionHeads(false);
    heads.claimed(aClaim(), RUNNER);
    heads.stored(aChain());

    expect(heads.freeHead(KEY, RUNNER)).toBeUndefined();
  });

  it('are forgotten of a session that others write to', () => {
    const heads = new SessionHeads(true);
    heads.claimed(aClaim(), RUNNER);
    heads.stored(aChain());

    heads.forget(KEY);

    expect(heads.freeHead(KEY, RUNNER)).toBeUndefined();
  });

  it('are not told for a minute of a session of which they were wrong', () => {
    let nowMs = 1_000;
    const heads = new SessionHeads(true, { now: () => nowMs });
    heads.mistaken(KEY);
    heads.claimed(aClaim(), RUNNER);
    heads.stored(aChain());

    expect(heads.freeHead(KEY, RUNNER)).toBeUndefined();
    nowMs += 60_001;
    expect(heads.freeHead(KEY, RUNNER)).toMatchObject({ lastSeq: 8 });
  });
});
