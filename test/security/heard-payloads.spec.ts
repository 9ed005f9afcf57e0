import path from 'node:path';
import { subjects, type ToolResultMessage } from '@skein/contracts';
import {
  connectNats,
  LocalPayloadStore,
  type MessagingConnection,
  provisionStreams,
  publishWork,
} from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { HeardResults } from '../../apps/runner/src/inbound/heard-results';
import { ActiveRun } from '../../apps/runner/src/run/active-run';
import { aHandover, aResult, aTicket } from '../../apps/runner/test/builders';
import { type NatsSetup, startNats } from '../integration/messaging-setup';

const HEARD = subjects.resultFor(0, 'runner-1');
const [FIRST, SECOND] = ['1', '2'].map((digit) => `d-${digit.repeat(32)}`) as [string, string];
const LARGE = { outcome: { kind: 'result', value: 'x'.repeat(300_000) } } as const;

/** The files that all processes share, and what this process read of them. */
class WatchedPayloads extends LocalPayloadStore {
  readonly read: string[] = [];

  override get(key: string, maxBytes: number): Promise<Uint8Array> {
    this.read.push(key);
    return super.get(key, maxBytes);
  }
}

let setup: NatsSetup;
let worker: MessagingConnection;
let runner: MessagingConnection;
let payloads: WatchedPayloads;

beforeEach(async () => {
  setup = await startNats();
  worker = await setup.connect('worker');
  await provisionStreams(worker);
  payloads = new WatchedPayloads(path.join(setup.dataDir, 'payloads'));
  const name = 'runner';
  runner = await connectNats({
    ...{ url: setup.url, name, logger: silentLogger, payloads, payloadLimitBytes: 1_000 },
  });
});
afterEach(async () => {
  await runner.close();
  await setup.stop();
});

/** A run on the runner that waits for these calls. */
async function aWaitingRun(...dispatchIds: string[]): Promise<Promise<ToolResultMessage>[]> {
  const run = new ActiveRun(aHandover());
  const heard = new HeardResults({ get: () => run }, { enforce: () => undefined });
  heard.hear(runner, 'runner-1');
  await runner.flush();
  return dispatchIds.map((dispatchId) => {
    const expected = run.pendingCalls.expect(dispatchId, '0/agent.0/tools.0');
    run.pendingCalls.permit({ ticket: aTicket(dispatchId), tool: 'weather' });
    return expected;
  });
}

describe('a result sent to a runner', () => {
  it.each([
    ['of a size that it has', (reference: string) => reference],
    ['of one byte, as it says', (reference: string) => reference.replace(/size=\d+/, 'size=1')],
  ])(
    'has the runner read nothing that lies in the payload store: a body %s (row 16)',
    async (_what, told) => {
      const [, inline] = await aWaitingRun(FIRST, SECOND);
      const { data, headers } = await worker.codec.encode(aResult(FIRST, LARGE));
      const reference = told(headers['Skein-Payload'] ?? '');

      await publishWork(worker, HEARD, '', { msgId: 'claimed', headers: { 'Skein-Payload': reference } });
      await publishWork(worker, HEARD, aResult(SECOND), { msgId: 'inline' });
      await inline;

      expect(data).toHaveLength(0);
      expect(payloads.read).toEqual([]);
    },
  );

  it('is heard in the message itself, however little this runner would send so', async () => {
    const [expected] = await aWaitingRun(FIRST);
    const value = 'x'.repeat(200_000);

    await publishWork(worker, HEARD, aResult(FIRST, { outcome: { kind: 'result', value } }), { msgId: 'm' });

    expect((await expected)?.outcome).toEqual({ kind: 'result', value });
  });
});
