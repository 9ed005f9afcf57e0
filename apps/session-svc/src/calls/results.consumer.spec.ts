import { subjects, type ToolResultMessage } from '@skein/contracts';
import { type Delivery, type RpcClient } from '@skein/messaging';
import { Metrics, silentLogger } from '@skein/platform';
import { mintAheadTicket, mintTicket, type StorePool } from '@skein/session-store';
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

describe('a result whose call left while it is stored', () => {
  const ticket = mintAheadTicket(SECRET, 'add', { dispatchId: DISPATCH, attempt: 1, deadlineMs: 1 });

  /** What becomes of it at its n-th delivery, where this is known of its call. */
  async function takeNth(deliveryCount: number, isStored: boolean | undefined): Promise<unknown> {
    const consumer = new ResultsConsumer({
      ...{ forwarder: { forward: async () => ({ disposition: 'no-owner' }) } },
      ...{ ended: { end: async () => 'stored' }, passes: { isStored: async () => isStored } },
      ...{ metrics, secret: SECRET, logger: silentLogger },
    } as unknown as ResultsParts); // The rest is for other results.
    return consumer
      .take({ ...RESULT, ticket }, { subject: 'result.0', deliveryCount } as Delivery)
      .catch((error: unknown) => error);
  }
  let registry: Metrics;
  let metrics: ServiceMetrics;
  beforeEach(() => {
    registry = new Metrics();
    metrics = new ServiceMetrics(registry);
  });

  it('comes again for as long as the call may yet be stored, and is dropped then', async () => {
    const ends = await Promise.all([1, 2, 8].map((n) => takeNth(n, undefined)));

    expect(ends).toMatchObject([
      { code: 'result.early', kind: 'unavailable', retryAfterMs: 200 },
      { retryAfterMs: 400 },
      { retryAfterMs: 25_600 },
    ]);
    await takeNth(9, undefined);
    expect(await registry.render()).toContain('skein_tool_results_total{disposition="unknown"} 1');
  });

  it('is dropped at once where another call was stored under its id, and taken where its own was', async () => {
    await takeNth(1, false);
    await takeNth(1, true);

    const shown = await registry.render();
    expect(shown).toContain('skein_tool_results_total{disposition="unknown"} 1');
    expect(shown).toContain('skein_tool_results_total{disposition="stored"} 1');
  });
});
