import { subjects, type ToolResultMessage } from '@skein/contracts';
import { type Delivery, type RpcClient } from '@skein/messaging';
import { Metrics, silentLogger } from '@skein/platform';
import { mintTicket, type StorePool } from '@skein/session-store';
import { InvocationOwners } from '../sessions/invocation-owners';
import { ServiceMetrics } from '../service-metrics';
import { ResultForwarder } from './result-forwarder';
import { ResultsConsumer, type ResultsParts } from './results.consumer';

const SECRET = 'a secret of the test';
const DISPATCH = `d-${'1'.repeat(32)}`;
const RUN = 'e-1';
const RESULT: ToolResultMessage = {
  ...{ appName: 'app', userId: 'ada', sessionId: 's', invocationId: RUN, tool: 'add' },
  ticket: mintTicket(SECRET, 'add', { dispatchId: DISPATCH, attempt: 1, deadlineMs: 1 }),
  outcome: { kind: 'result', value: 3 },
  actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
  execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
};

/** A consumer of a process that saw the runner `here` last; to whom it brings results, in order. */
function aConsumer(): { readonly consumer: ResultsConsumer; readonly asked: string[] } {
  const asked: string[] = [];
  const owners = new InvocationOwners({} as StorePool); // Not asked for what is known.
  owners.seen(RUN, 'here');
  const request = async (subject: string): Promise<unknown> => {
    asked.push(subject);
    return { disposition: 'applied' };
  };
  const consumer = new ResultsConsumer({
    ...{ forwarder: new ResultForwarder({ request } as unknown as RpcClient, owners) },
    ...{ metrics: new ServiceMetrics(new Metrics()), secret: SECRET, logger: silentLogger },
  } as unknown as ResultsParts); // The rest is for results that nobody applies.
  return { consumer, asked };
}

describe('a result in the queue', () => {
  it.each([
    ['as its worker sends it', 'result.0'],
    ['as the server says whose it is', 'result.0.worker-a'],
    ['row 42: as a worker of the version before sends it', 'result.0.for.gone'],
  ])('is brought at once to the runner that has the run: %s', async (_what, subject) => {
    const { consumer, asked } = aConsumer();

    await consumer.take(RESULT, { subject } as Delivery);

    expect(asked).toEqual([subjects.work('here')]);
  });
});

describe('a result whose call is not there', () => {
  /** What becomes of it at its n-th delivery. */
  async function takeNth(deliveryCount: number): Promise<unknown> {
    const consumer = new ResultsConsumer({
      ...{
        forwarder: { forward: async () => ({ disposition: 'no-owner' }) },
        ended: { end: async () => 'unknown' },
      },
      ...{ metrics: new ServiceMetrics(new Metrics()), secret: SECRET, logger: silentLogger },
    } as unknown as ResultsParts); // The rest is for other results.
    return consumer.take(RESULT, { subject: 'result.0', deliveryCount } as Delivery).then(
      () => 'dropped',
      (error: unknown) => error,
    );
  }

  it('comes again for as long as the call may yet be stored, and is dropped then', async () => {
    const ends = await Promise.all([1, 2, 6, 7].map(takeNth));

    expect(ends).toMatchObject([
      { code: 'result.early', kind: 'unavailable', retryAfterMs: 200 },
      { retryAfterMs: 400 },
      { retryAfterMs: 6_400 },
      'dropped',
    ]);
  });
});
