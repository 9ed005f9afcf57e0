import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagingConnection } from '@skein/messaging';
import { type NatsSetup, startNats, until } from './messaging-setup';

describe('what a connection writes', () => {
  let setup: NatsSetup;
  let sender: MessagingConnection;
  let receiver: MessagingConnection;
  let heard: string[];

  beforeEach(async () => {
    setup = await startNats();
    sender = await setup.connect('sender');
    receiver = await setup.connect('receiver');
    heard = [];
    receiver.nats.subscribe('test.words', {
      callback: (_error, message) => void heard.push(message.string()),
    });
    await receiver.flush();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await setup.stop();
  });

  /** Each in a microtask of its own, as what several requests set off is. */
  async function publishApart(...words: readonly string[]): Promise<void> {
    for (const word of words) {
      sender.nats.publish('test.words', word);
      await Promise.resolve().then(() => Promise.resolve());
    }
  }

  function countWrites(): () => number {
    const one = jest.spyOn(Socket.prototype, '_write');
    // Node has it and the types do not say so.
    const several = jest.spyOn(Socket.prototype as unknown as { _writev(): void }, '_writev');
    return () => one.mock.calls.length + several.mock.calls.length;
  }

  it('is one write for all messages of a pass of the event loop, in their order', async () => {
    const writes = countWrites();

    await publishApart('a', 'b', 'c');
    await nextTurn();
    await nextTurn();

    expect(writes()).toBe(1);
    await until('all are heard', () => heard.length === 3);
    expect(heard).toEqual(['a', 'b', 'c']);
  });

  it('is one write for all messages of a pass also after a reconnect', async () => {
    await setup.restart({ withEmptyDisk: false });
    // Both, since the writes of all sockets of this process are counted.
    for (const connection of [sender, receiver]) {
      await until('it is back', () => connection.isConnected());
      await connection.flush();
    }
    const writes = countWrites();

    await publishApart('a', 'b', 'c');
    await nextTurn();
    await nextTurn();

    expect(writes()).toBe(1);
  });

  it('is there once a flush settles', async () => {
    const writes = countWrites();
    await publishApart('a', 'b');

    await sender.flush();

    expect(writes()).toBe(1);
    await until('both are heard', () => heard.length === 2);
  });

  it('loses nothing of what is published right before it closes', async () => {
    await publishApart('a', 'b');

    await sender.close();

    await until('both are heard', () => heard.length === 2);
  });

  it('loses nothing either where the client closes without a drain', async () => {
    await publishApart('a', 'b');

    await sender.nats.close();

    await until('both are heard', () => heard.length === 2);
  });
});
