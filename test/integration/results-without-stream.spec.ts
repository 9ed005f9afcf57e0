import { resultsFor, subjects } from '@skein/contracts';
import { type MessagingConnection, provisionStreams, publishWork } from '@skein/messaging';
import { jetstreamManager } from '@nats-io/jetstream';
import { ToolPublisher } from '../../apps/tool-worker/src/calls/tool-publisher';
import { type NatsSetup, startNats } from './messaging-setup';

const HEARD = subjects.resultFor(3, 'runner-1');
const DISPATCH = `d-${'1'.repeat(32)}`;

let setup: NatsSetup;
let worker: MessagingConnection;

beforeEach(async () => {
  setup = await startNats();
  worker = await setup.connect('worker');
  await provisionStreams(worker);
  const runner = await setup.connect('runner');
  for (const subject of resultsFor('runner-1')) runner.nats.subscribe(subject);
  await runner.flush();
  await (await jetstreamManager(worker.nats)).streams.delete('RESULTS');
});
afterEach(() => setup.stop());

describe('a result whose stream is gone', () => {
  it('is not said to be taken by nobody where a runner hears it, unlike in the queue', async () => {
    const send = (subject: string): Promise<unknown> =>
      publishWork(worker, subject, {}, { msgId: 'm', attempts: 1 });

    await expect(send(subjects.result(3))).rejects.toMatchObject({ code: 'messaging.no-stream' });
    await expect(send(HEARD)).rejects.toMatchObject({ code: 'messaging.no-ack' });
  });

  it('row 31: is stored in the queue after one such silence', async () => {
    const publisher = new ToolPublisher(worker, { remainingMs: () => 60_000 });
    const call = { call: { dispatchId: DISPATCH, tool: 'add' }, ticket: { attempt: 1 }, resultTo: HEARD };

    await publisher.publishResult(
      call as unknown as Parameters<ToolPublisher['publishResult']>[0], // What is read of it.
      { execution: { attempt: 1 } } as Parameters<ToolPublisher['publishResult']>[1],
      new AbortController().signal,
    );

    const { streams } = await jetstreamManager(worker.nats);
    const { state } = await streams.info('RESULTS', { subjects_filter: '>' });
    expect(Object.keys(state.subjects ?? {})).toEqual([expect.stringMatching(/^result\.\d+$/)]);
  }, 15_000);
});
