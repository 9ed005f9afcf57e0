import { setMaxListeners } from 'node:events';
import { AdkError, type StoredVerdict, subjects, type ToolCallMessage } from '@skein/contracts';
import { type Delivery, type RpcClient } from '@skein/messaging';
import { HeldCalls } from './held-calls';

const dispatchId = `d-${'0'.repeat(32)}`;
const message: ToolCallMessage = {
  ...{ appName: 'app', userId: 'ada', sessionId: 's', invocationId: 'e-1', state: {} },
  call: {
    ...{ dispatchId, stepKey: 'k', index: 0, callId: 'c1', agentName: 'agent', tool: 'put', pool: 'default' },
    args: {},
    policy: { timeoutMs: 10_000, maxAttempts: 3, sideEffect: 'idempotent' },
  },
  ticket: { dispatchId, attempt: 1, deadlineMs: 1, hmac: 'h' },
  askStored: 'stored.one',
};
const ANYONE = subjects.callRpc('stored');
const early = new AdkError('unavailable', 'call.early', 'not stored yet');
const away = new AdkError('unavailable', 'rpc.no-responders', 'nobody is there');

let aside = 0;
const aDelivery = (more: Partial<Delivery> = {}): Delivery =>
  ({
    startedBefore: 0,
    signal: new AbortController().signal,
    stopping: new AbortController().signal,
    aside: (wait: () => Promise<unknown>) => {
      aside++;
      return wait();
    },
    ...more,
  }) as Delivery; // All of it that is used.

/** What each subject answers, one after another; the last one from then on. */
function someCalls(answers: Readonly<Record<string, readonly (StoredVerdict | Error)[]>>) {
  const asked: string[] = [];
  const rpc = {
    request: async (subject: string, _schema: unknown, body: unknown) => {
      expect(body).toEqual({ invocationId: 'e-1', tool: 'put', ticket: message.ticket });
      const given = answers[subject] ?? [];
      const answer = given[Math.min(asked.filter((one) => one === subject).length, given.length - 1)];
      asked.push(subject);
      if (answer === undefined || answer instanceof Error)
        throw answer ?? new Error(`nobody asks ${subject}`);
      return { verdict: answer };
    },
  } as unknown as RpcClient; // All of it that is used.
  return { calls: new HeldCalls(rpc), asked };
}

describe('a call that came while it is stored', () => {
  beforeEach(() => (aside = 0));

  it.each(['stored', 'refused'] as const)('goes by the word of who stores it: %s', async (verdict) => {
    const { calls, asked } = someCalls({ 'stored.one': [verdict] });

    expect(await calls.verdictOf(message, aDelivery())).toBe(verdict);
    expect([asked, aside]).toEqual([['stored.one'], 0]);
  });

  it.each<[string, StoredVerdict | Error]>([
    ['does not know', 'unknown'],
    ['is gone', away],
    ['may not be asked', new AdkError('denied', 'nats.not-permitted', 'no')],
  ])('goes by the database where who stored it %s, its place being free meanwhile', async (_what, answer) => {
    const { calls, asked } = someCalls({ 'stored.one': [answer], [ANYONE]: [away, 'stored'] });

    expect(await calls.verdictOf(message, aDelivery())).toBe('stored');
    expect([asked, aside]).toEqual([['stored.one', ANYONE, ANYONE], 1]);
  });

  it('goes by the database where it comes again: who stored it may be gone', async () => {
    const { calls, asked } = someCalls({ [ANYONE]: ['refused'] });

    expect(await calls.verdictOf(message, aDelivery({ startedBefore: 1 }))).toBe('refused');
    expect(asked).toEqual([ANYONE]);
  });

  it('waits for as long as it may yet be stored, and is nobody’s then', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { calls, asked } = someCalls({ 'stored.one': ['unknown'], [ANYONE]: [early] });
    let isKnown = false;
    const told = calls.verdictOf(message, aDelivery()).finally(() => (isKnown = true));
    await passUntil(() => asked.length >= 3);
    expect(isKnown).toBe(false);

    now.mockReturnValue(60_001);

    expect(await told).toBe('refused');
    now.mockRestore();
  });

  it('is nobody’s to tell where its worker ends, and is not asked for without a right to', async () => {
    const ending = new AbortController();
    const { calls } = someCalls({ 'stored.one': ['unknown'], [ANYONE]: [away] });
    const told = calls.verdictOf(message, aDelivery({ stopping: ending.signal }));
    ending.abort(new Error('this worker ends'));
    expect(await told).toBe('unknown');

    const denied = new AdkError('denied', 'call.forged', 'no');
    const forged = someCalls({ 'stored.one': ['unknown'], [ANYONE]: [denied] });
    await expect(forged.calls.verdictOf(message, aDelivery())).rejects.toBe(denied);
  });

  it('keeps its place where as many as may be wait without one', async () => {
    const { calls, asked } = someCalls({ 'stored.one': ['unknown'], [ANYONE]: [early] });
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const hold = () => calls.verdictOf(message, aDelivery({ stopping: ending.signal }));
    const told = Promise.all(Array.from({ length: 300 }, hold));
    await passUntil(() => asked.filter((one) => one === ANYONE).length >= 300);
    expect(aside).toBe(256);
    ending.abort();
    await told;

    const next = new AbortController();
    const one = calls.verdictOf(message, aDelivery({ stopping: next.signal }));
    await passUntil(() => aside > 256);
    next.abort();
    expect(await one).toBe('unknown');
  });
});

/** Fails where it does not come true in some thousand passes of the event loop. */
async function passUntil(isSo: () => boolean): Promise<void> {
  for (let pass = 0; pass < 10_000 && !isSo(); pass++) await new Promise(setImmediate);
  expect(isSo()).toBe(true);
}
