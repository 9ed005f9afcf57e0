import path from 'node:path';
import { headers } from '@nats-io/transport-node';
import { subjects, takenResultSchema, type ToolResultMessage } from '@skein/contracts';
import { connectNats, LocalPayloadStore, type MessagingConnection, RpcClient } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { TakenResults } from '../../apps/runner/src/inbound/taken-results';
import { ActiveRun } from '../../apps/runner/src/run/active-run';
import { aHandover, aResult, aTicket } from '../../apps/runner/test/builders';
import { type NatsSetup, startNats } from '../integration/messaging-setup';

const ASKED = subjects.answer('runner-1');
const DISPATCH = `d-${'1'.repeat(32)}`;
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

/** A run on the runner that waits for this call. */
async function aWaitingRun(dispatchId: string): Promise<{ readonly result: Promise<ToolResultMessage> }> {
  const run = new ActiveRun(aHandover());
  new TakenResults({ get: () => run }, { enforce: () => undefined }).serve(runner, 'runner-1');
  await runner.flush();
  const result = run.pendingCalls.expect(dispatchId, '0/agent.0/tools.0');
  run.pendingCalls.permit({ ticket: aTicket(dispatchId), tool: 'weather' });
  return { result };
}

/** As a program with the credentials of a worker may, whatever it holds. */
async function ask(reference: string): Promise<unknown> {
  const sent = headers();
  sent.set('Skein-Payload', reference);
  const answer = await worker.nats.request(ASKED, '', { timeout: 5_000, headers: sent });
  return answer.json();
}

describe('a result that a runner is asked to take', () => {
  it.each([
    ['of a size that it has', (reference: string) => reference],
    ['of one byte, as it says', (reference: string) => reference.replace(/size=\d+/, 'size=1')],
  ])(
    'has the runner read nothing that lies in the payload store: a body %s (row 16)',
    async (_what, told) => {
      await aWaitingRun(DISPATCH);
      const encoded = await worker.codec.encode(aResult(DISPATCH, LARGE));
      const reference = told(encoded.headers['Skein-Payload'] ?? '');

      const answer = await ask(reference);

      expect(encoded.data).toHaveLength(0);
      expect(answer).toMatchObject({ ok: false, error: { code: 'rpc.by-reference' } });
      expect(payloads.read).toEqual([]);
    },
  );

  it('is taken in the message itself, however little this runner would send so', async () => {
    const waiting = await aWaitingRun(DISPATCH);
    const value = 'x'.repeat(200_000);
    const result = aResult(DISPATCH, { outcome: { kind: 'result', value } });

    await new RpcClient(worker).request(ASKED, takenResultSchema, result, { timeoutMs: 5_000 });

    expect((await waiting.result).outcome).toEqual({ kind: 'result', value });
  });
});
