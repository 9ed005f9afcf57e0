import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AppendUnit, type Event, type EventMessage } from '@skein/contracts';
import { type MessagingConnection } from '@skein/messaging';
import { Metrics, silentLogger } from '@skein/platform';
import { type StoredChain, type StorePool } from '@skein/session-store';
import { EventPublisher } from './event-publisher';
import { ServiceMetrics } from '../service-metrics';

describe('EventPublisher', () => {
  let encoded: number[];
  let publisher: EventPublisher;
  let nats: { info?: { cluster?: string } };
  beforeEach(() => {
    encoded = [];
    // The first thing a publish does, and here the last.
    const encode = async ({ seq }: EventMessage): Promise<never> => {
      encoded.push(seq);
      throw new Error('the payload store is away');
    };
    const whenConnected = async (): Promise<void> => undefined;
    nats = {};
    const codec = { encode, encodeInline: () => undefined };
    const connection = {
      isConnected: () => true,
      whenConnected,
      codec,
      nats,
    } as unknown as MessagingConnection;
    const pool = {} as StorePool;
    const metrics = new ServiceMetrics(new Metrics());
    publisher = new EventPublisher({ pool, connection, metrics, logger: silentLogger });
  });
  afterEach(() => publisher.stop());

  it('begins behind what the turn of the commit writes, so that its calls and the answer of the append leave first', async () => {
    publisher.prepare(aChain(0, 1))();
    for (let microtask = 0; microtask < 100; microtask++) await Promise.resolve();
    await nextTurn();
    expect(encoded).toEqual([]);

    await nextTurn();
    expect(encoded).toEqual([1]);
  });

  it('begins at once where a segment ended: its last event is waited for, the answer of its append is not', async () => {
    const { units, ...chain } = aChain(0, 1);
    const [unit] = units;
    publisher.prepare({ ...chain, units: [{ ...unit, finish: { status: 'completed' } }] })();

    for (let microtask = 0; microtask < 10; microtask++) await Promise.resolve();

    expect(encoded).toEqual([1]);
  });

  it('row 12: of a cluster, sends none before the stream has the one before it, which may be tried again by itself', async () => {
    nats.info = { cluster: 'three' };
    const { units, ...chain } = aChain(0, 1);
    const events = [1, 2, 3].map((seq) => ({ seq, event: { id: String(seq) } as Event }));
    publisher.prepare({ ...chain, units, events })();

    await publisher.stop();

    expect(encoded).toEqual([1]);
  });

  it('holds back what was stored after an event that could not be published', async () => {
    publisher.prepare(aChain(0, 1))();
    publisher.prepare(aChain(1, 2))();

    await publisher.stop();

    expect(encoded).toEqual([1]);
  });
});

function aChain(baseSeq: number, seq: number): StoredChain {
  const unit = { appName: 'app', userId: 'user', sessionId: 's' } as AppendUnit;
  const events = [{ seq, event: { id: String(seq) } as Event }];
  return {
    units: [unit],
    sessionUid: 'uid',
    baseSeq,
    publishedSeq: 0,
    events,
    nextClaim: undefined,
    waitingCalls: [],
    callsToSend: [],
    callsAhead: [],
    cancelRequested: false,
    clockMs: 0,
  };
}
