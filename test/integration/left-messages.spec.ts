import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { type ToolCallMessage } from '@skein/contracts';
import { type MessagingConnection, provisionStreams, publishWork } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { mintTicket } from '@skein/session-store';
import { LeftMessages } from '../../apps/session-svc/src/sweeps/left-messages';
import { type NatsSetup, startNats } from './messaging-setup';
import { aCall, aKey, SECRET, useStore } from './session-store-harness';

const store = useStore();

/** Of a call that is long over. */
function aLeftMessage(text = ''): ToolCallMessage {
  const call = aCall({ args: { text } });
  const ticket = mintTicket(SECRET, call.tool, { dispatchId: call.dispatchId, attempt: 1, deadlineMs: 1 });
  return { ...aKey(), invocationId: 'e-0197f0c0-0000-7000-8000-000000000000', call, ticket, state: {} };
}

describe('calls that nobody waits for, in their queue', () => {
  let setup: NatsSetup;
  let connection: MessagingConnection;
  let payloads: string;
  const lines: object[] = [];
  const logger = { ...silentLogger, warn: (fields: object) => void lines.push(fields) };

  beforeEach(async () => {
    setup = await startNats();
    connection = await setup.connect();
    await provisionStreams(connection);
    payloads = path.join(setup.dataDir, 'payloads');
    lines.length = 0;
  });
  afterEach(() => setup.stop());

  async function leave(message: ToolCallMessage): Promise<void> {
    await publishWork(connection, 'tool.default.normal', message, { msgId: message.call.dispatchId });
  }

  async function lying(): Promise<number> {
    const { streams } = await jetstreamManager(connection.nats);
    return (await streams.info('TOOLS')).state.messages;
  }

  const aLook = (): LeftMessages => new LeftMessages({ pool: store.pool, connection, everyMs: 0, logger });

  it('are taken out behind one whose payload cannot be fetched, which is told of once and taken out when it can be', async () => {
    const first = aLeftMessage('x'.repeat(300_000));
    await leave(first);
    const [name = ''] = await readdir(payloads);
    const [payload, away] = [path.join(payloads, name), path.join(setup.dataDir, 'away')];
    await rename(payload, away);
    await mkdir(payload);
    for (let behind = 0; behind < 3; behind++) await leave(aLeftMessage());
    const left = aLook();

    await left.look();
    expect(await lying()).toBe(1);
    await left.look();
    expect(lines.filter((line) => 'err' in line)).toEqual([
      { sequence: 1, err: expect.objectContaining({ code: 'payload.store' }) },
    ]);

    await rm(payload, { recursive: true });
    await rename(away, payload);
    await left.look();
    expect(await lying()).toBe(0);
  });

  it('are reached in the end, however many lie before them that cannot be fetched', async () => {
    for (let before = 0; before < 7; before++) await leave(aLeftMessage('x'.repeat(300_000)));
    for (const name of await readdir(payloads)) {
      await rm(path.join(payloads, name));
      await mkdir(path.join(payloads, name));
    }
    await leave(aLeftMessage());
    const left = aLook();

    // As many in each look as are asked for while the payloads are away.
    for (let look = 0; look < 3; look++) await left.look();

    expect(await lying()).toBe(7);
  });
});
