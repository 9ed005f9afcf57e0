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

/** A consumer of a process that saw the runner `here` last; what it does, in order. */
function aConsumer(): { readonly consumer: ResultsConsumer; readonly did: string[] } {
  const did: string[] = [];
  const owners = new InvocationOwners({} as StorePool); // Not asked for what is known.
  owners.seen(RUN, 'here');
  const request = async (subject: string): Promise<unknown> => {
    did.push(`forwarded by ${subject}`);
    return { disposition: 'applied' };
  };
  const applied = {
    within: async (_answer: unknown, timeoutMs: number) => {
      did.push(`waited ${timeoutMs} ms`);
      return false;
    },
  };
  const consumer = new ResultsConsumer({
    ...{ applied, forwarder: new ResultForwarder({ request } as unknown as RpcClient, owners) },
    ...{ metrics: new ServiceMetrics(new Metrics()), secret: SECRET, logger: silentLogger },
  } as unknown as ResultsParts); // The rest is for results that nobody applies.
  return { consumer, did };
}

describe('a result that names the runner that hears it', () => {
  it.each([
    ['waited for while that runner has the run', 'here', ['waited 100 ms']],
    ['brought to the owner at once where another has it', 'gone', ['waited 0 ms']],
  ])('is %s', async (_what, runner, before) => {
    const { consumer, did } = aConsumer();

    await consumer.take(RESULT, { subject: subjects.resultFor(0, runner) } as Delivery);

    expect(did).toEqual([...before, `forwarded by ${subjects.work('here')}`]);
  });
});
