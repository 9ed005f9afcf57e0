import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type MessagingConnection, provisionStreams, publishInOrder, publishWork } from '@skein/messaging';
import { type NatsSetup, startNats } from './messaging-setup';

const SUBJECT = 'event.app.ada.s';

describe('messages that are published in order', () => {
  let setup: NatsSetup;
  let connection: MessagingConnection;
  let stored: string[];

  beforeEach(async () => {
    setup = await startNats();
    connection = await setup.connect();
    await provisionStreams(connection);
    stored = [];
  });
  afterEach(() => setup.stop());

  async function publish(ids: readonly string[], by = connection, subject = SUBJECT): Promise<void> {
    const messages = ids.map((id) => ({ msgId: id, body: id }));
    await publishInOrder(by, subject, messages, (index) => void stored.push(ids[index] ?? '?'));
  }

  /** The ids in the stream, in its order. */
  async function inStream(): Promise<unknown[]> {
    const manager = await jetstreamManager(connection.nats);
    const { state } = await manager.streams.info('EVENTS');
    const consumer = await jetstream(connection.nats).consumers.get('EVENTS');
    const ids: unknown[] = [];
    while (ids.length < state.messages) ids.push((await consumer.next({ expires: 5_000 }))?.json());
    return ids;
  }

  it('are stored in it, and told of in it', async () => {
    await publish(['u.1', 'u.2', 'u.3']);

    expect(stored).toEqual(['u.1', 'u.2', 'u.3']);
    expect(await inStream()).toEqual(['u.1', 'u.2', 'u.3']);
  });

  it('leave together: none waits until the stream has said that it has the one ahead', async () => {
    const left: unknown[] = [];
    const { nats } = connection;
    const send = nats.publish.bind(nats);
    jest.spyOn(nats, 'publish').mockImplementation((subject, data, options) => {
      if (subject === SUBJECT) left.push({ behind: stored.length });
      send(subject, data, options);
    });

    await publish(['u.1', 'u.2', 'u.3']);

    expect(left).toEqual([{ behind: 0 }, { behind: 0 }, { behind: 0 }]);
  });

  it('are answered for once: the stream takes the last only where it has those ahead', async () => {
    const publishes = jest.spyOn(connection.nats, 'publish');

    await publish(['u.1', 'u.2', 'u.3']);

    const toStream = publishes.mock.calls.filter(([subject]) => subject === SUBJECT);
    expect(toStream.map(([, , options]) => Boolean(options?.reply))).toEqual([false, false, true]);
  });

  it('are sent once, however many others of their process leave in the same moment', async () => {
    const publishes = jest.spyOn(connection.nats, 'publish');
    const sessions = Array.from({ length: 50 }, (_, session) => session);

    await Promise.all(
      sessions.map((session) =>
        publish([`${session}.1`, `${session}.2`], connection, `event.app.ada.s${session}`),
      ),
    );

    const toStream = publishes.mock.calls.filter(([subject]) => subject.startsWith('event.'));
    expect(toStream).toHaveLength(100);
    expect(stored).toHaveLength(100);
  });

  it('are heard in it by who listens to their subject, also behind one that is too large for a message', async () => {
    const heard: string[] = [];
    connection.nats.subscribe(SUBJECT, {
      callback: (_error, { headers }) => void heard.push(headers?.get('Nats-Msg-Id') ?? '?'),
    });
    const large = { msgId: 'u.1', body: 'x'.repeat(300_000) };
    const small = { msgId: 'u.2', body: 'u.2' };

    await publishInOrder(connection, SUBJECT, [large, small], () => undefined);
    await connection.flush();

    expect(heard).toEqual(['u.1', 'u.2']);
  });

  it('row 12: are sent again in it where the stream had the first one before others', async () => {
    await publishWork(connection, SUBJECT, 'u.1', { msgId: 'u.1' });
    await publishWork(connection, SUBJECT, 'other', { msgId: 'other' });

    await publish(['u.1', 'u.2', 'u.3']);

    expect(stored).toEqual(['u.1', 'u.2', 'u.3']);
    expect(await inStream()).toEqual(['u.1', 'other', 'u.2', 'u.3']);
  });

  it('row 12: are none stored where the first one is refused', async () => {
    const tooLarge = { msgId: 'u.1', body: 'x'.repeat(600) };
    const manager = await jetstreamManager(connection.nats);
    await manager.streams.update('EVENTS', { max_msg_size: 512 });
    const second = { msgId: 'u.2', body: 'u.2' };

    const publishing = publishInOrder(connection, SUBJECT, [tooLarge, second], () => stored.push('?'));

    await expect(publishing).rejects.toMatchObject({ kind: 'unavailable' });
    expect(stored).toEqual([]);
    expect(await inStream()).toEqual([]);
  });

  it('row 12: keep it among those of another process, and each is stored once', async () => {
    const other = await setup.connect('other');
    const sessions = Array.from({ length: 100 }, (_, session) => session);
    const idsOf = (session: number): string[] => [1, 2, 3].map((seq) => `${session}.${seq}`);

    await Promise.all(
      sessions.map((session) =>
        publish(idsOf(session), session % 2 ? connection : other, `event.app.ada.s${session}`),
      ),
    );

    const ids = (await inStream()).map(String);
    for (const session of sessions)
      expect(ids.filter((id) => id.startsWith(`${session}.`))).toEqual(idsOf(session));
  });

  it('row 12: keep it when the stream was lost and is made anew', async () => {
    const manager = await jetstreamManager(connection.nats);
    await manager.streams.delete('EVENTS');

    await publish(['u.1', 'u.2']);

    expect(await inStream()).toEqual(['u.1', 'u.2']);
  });
});
