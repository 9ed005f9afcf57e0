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

  it.each([
    ['stored', true],
    ['refused', false],
  ] as const)('goes by the word of who stores it: %s', async (verdict, isStored) => {
    const { calls, asked } = someCalls({ 'stored.one': [verdict] });

    expect(await calls.isStored(message, aDelivery())).toBe(isStored);
    expect([asked, aside]).toEqual([['stored.one'], 0]);
  });

  it.each<[string, StoredVerdict | Error]>([
    ['does not know', 'unknown'],
    ['is gone', away],
    ['may not be asked', new AdkError('denied', 'nats.not-permitted', 'no')],
  ])('goes by the database where who stored it %s, its place being free meanwhile', async (_what, answer) => {
    const { calls, asked } = someCalls({ 'stored.one': [answer], [ANYONE]: [away, 'stored'] });

    expect(await calls.isStored(message, aDelivery())).toBe(true);
    expect([asked, aside]).toEqual([['stored.one', ANYONE, ANYONE], 1]);
  });

  it('goes by the database where it comes again: who stored it may be gone', async () => {
    const { calls, asked } = someCalls({ [ANYONE]: ['refused'] });

    expect(await calls.isStored(message, aDelivery({ startedBefore: 1 }))).toBe(false);
    expect(asked).toEqual([ANYONE]);
  });

  it('waits for as long as it may yet be stored, and is nobody’s then', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { calls, asked } = someCalls({ 'stored.one': ['unknown'], [ANYONE]: [early] });
    let isKnown = false;
    const told = calls.isStored(message, aDelivery()).finally(() => (isKnown = true));
    while (asked.length < 3) await new Promise(setImmediate);
    expect(isKnown).toBe(false);

    now.mockReturnValue(60_001);

    expect(await told).toBe(false);
    now.mockRestore();
  });

  it('is left to somebody else where nobody says so for longer, and where the worker ends', async () => {
    const now = jest
      .spyOn(performance, 'now')
      .mockReturnValueOnce(0)
      .mockReturnValueOnce(0)
      .mockReturnValue(65_001);
    const { calls } = someCalls({ 'stored.one': ['unknown'], [ANYONE]: [away] });
    await expect(calls.isStored(message, aDelivery())).rejects.toBe(away);
    now.mockRestore();

    const ending = new AbortController();
    const waiting = someCalls({ 'stored.one': ['unknown'], [ANYONE]: [early] });
    const told = waiting.calls.isStored(message, aDelivery({ stopping: ending.signal }));
    const reason = new Error('this worker ends');
    ending.abort(reason);
    await expect(told).rejects.toBe(reason);
  });

  it('keeps its place where as many as may be wait without one', async () => {
    const { calls, asked } = someCalls({ 'stored.one': ['unknown'], [ANYONE]: [early] });
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const hold = () => calls.isStored(message, aDelivery({ stopping: ending.signal }));
    const told = Promise.allSettled(Array.from({ length: 300 }, hold));
    while (asked.filter((one) => one === ANYONE).length < 300) await new Promise(setImmediate);
    expect(aside).toBe(256);
    ending.abort();
    await told;

    const next = new AbortController();
    const one = Promise.allSettled([calls.isStored(message, aDelivery({ stopping: next.signal }))]);
    while (aside === 256) await new Promise(setImmediate);
    next.abort();
    await one;
  });
});
