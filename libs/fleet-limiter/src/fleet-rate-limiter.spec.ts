import { subjects } from '@skein/contracts';
import { type MessagingConnection } from '@skein/messaging';
import { Metrics } from '@skein/platform';
import { FleetRateLimiter } from './fleet-rate-limiter';

type Body = Record<string, unknown>;
type Heard = (body: Body) => unknown;

const listeners: Heard[] = [];
let isAway = false;

jest.mock('@skein/messaging', () => ({
  publishCore: async (_connection: unknown, subject: string, body: Body) => {
    if (isAway) throw new Error('away');
    if (subject === subjects.modelHold) for (const heard of listeners) heard(body);
  },
  subscribeCore: (_connection: unknown, _subject: string, _schema: unknown, heard: Heard) => {
    listeners.push(heard);
    return { close: async () => void listeners.splice(listeners.indexOf(heard), 1) };
  },
}));

const lane = { provider: 'gemini', baseUrl: undefined, model: 'm', account: '' };
const wait = { signal: new AbortController().signal, maxHoldMs: 0 };
const refused = { kind: 'overloaded', retryAfterMs: 60_000 } as const;

describe('FleetRateLimiter', () => {
  const warn = jest.fn();
  const limiters: FleetRateLimiter[] = [];

  function aProcess(): FleetRateLimiter & { readonly figures: Metrics } {
    // Only its logger is asked for: what is sent is heard by the mock above.
    const connection = { logger: { warn } } as unknown as MessagingConnection;
    const figures = new Metrics();
    const limiter = new FleetRateLimiter({ connection, metrics: figures });
    limiter.start();
    limiters.push(limiter);
    return Object.assign(limiter, { figures });
  }

  afterEach(async () => {
    isAway = false;
    await Promise.all(limiters.splice(0).map((limiter) => limiter.close()));
    expect(listeners).toEqual([]);
  });

  it('holds every process back when one of them hears that it is to wait', async () => {
    const [one, other] = [aProcess(), aProcess()];

    (await one.enter(lane, wait)).end(refused);

    await expect(other.enter(lane, wait)).rejects.toMatchObject({ code: 'model.held-back' });
    await other.enter({ ...lane, model: 'm-2' }, wait);
    expect(await one.figures.render()).toContain('skein_model_holds_total{origin="own"} 1');
    expect(await other.figures.render()).toContain('skein_model_holds_total{origin="fleet"} 1');
  });

  it('does not hear itself', async () => {
    const one = aProcess();

    (await one.enter(lane, wait)).end(refused);

    expect(await one.figures.render()).not.toContain('origin="fleet"');
  });

  it('limits alone while NATS is away', async () => {
    const [one, other] = [aProcess(), aProcess()];
    isAway = true;

    (await one.enter(lane, wait)).end(refused);

    await expect(one.enter(lane, wait)).rejects.toMatchObject({ code: 'model.held-back' });
    (await other.enter(lane, wait)).end({ kind: 'answered' });
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
