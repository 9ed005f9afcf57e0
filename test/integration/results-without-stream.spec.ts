import { jetstreamManager } from '@nats-io/jetstream';
import { subjects } from '@skein/contracts';
import { type MessagingConnection, provisionStreams, publishWork, serveRpc } from '@skein/messaging';
import { z } from 'zod';
import { ToolPublisher } from '../../apps/tool-worker/src/calls/tool-publisher';
import { type NatsSetup, startNats } from './messaging-setup';

const DISPATCH = `d-${'1'.repeat(32)}`;

let setup: NatsSetup;
let worker: MessagingConnection;

/** A runner that says this of each result. */
async function aRunner(disposition: string): Promise<void> {
  const runner = await setup.connect('runner');
  serveRpc(runner, subjects.answer('runner-1'), {
    schema: z.unknown(),
    handler: async () => ({ disposition }),
  });
  await runner.flush();
}

function give(): Promise<void> {
  const publisher = new ToolPublisher(worker, { remainingMs: () => 60_000 });
  const call = { dispatchId: DISPATCH, tool: 'add', policy: { sideEffect: 'idempotent' } };
  const message = { call, ticket: { attempt: 1 }, answerTo: subjects.answer('runner-1') };
  const result = { outcome: { kind: 'result', value: 3 }, execution: { attempt: 1 } };
  return publisher.publishResult(
    message as unknown as Parameters<ToolPublisher['publishResult']>[0], // What is read of it.
    result as Parameters<ToolPublisher['publishResult']>[1],
    { signal: new AbortController().signal, aside: (wait) => wait() },
  );
}

beforeEach(async () => {
  setup = await startNats();
  worker = await setup.connect('worker');
  await provisionStreams(worker);
  await (await jetstreamManager(worker.nats)).streams.delete('RESULTS');
});
afterEach(() => setup.stop());

describe('a result whose stream is gone', () => {
  it('is taken by nobody in the queue', async () => {
    const sent = publishWork(worker, subjects.result(3), {}, { msgId: 'm', attempts: 1 });

    await expect(sent).rejects.toMatchObject({ code: 'messaging.no-stream' });
  });

  it('needs none where its runner takes it', async () => {
    await aRunner('applied');

    await give();

    const { streams } = await jetstreamManager(worker.nats);
    await expect(streams.info('RESULTS')).rejects.toThrow('stream not found');
  });

  it('row 31: is stored in the queue, made again, where its runner does not', async () => {
    await aRunner('unknown');

    await give();

    const { streams } = await jetstreamManager(worker.nats);
    const { state } = await streams.info('RESULTS', { subjects_filter: '>' });
    expect(Object.keys(state.subjects ?? {})).toEqual([expect.stringMatching(/^result\.\d+$/)]);
  }, 15_000);
});
