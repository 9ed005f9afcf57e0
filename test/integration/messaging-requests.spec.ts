import { errors, type Msg } from '@nats-io/transport-node';
import { type MessagingConnection } from '@skein/messaging';
import { type NatsSetup, startNats, until } from './messaging-setup';

const DATA = Buffer.from('?');

describe('requests on one connection', () => {
  let setup: NatsSetup;
  let server: MessagingConnection;
  let client: MessagingConnection;

  beforeEach(async () => {
    setup = await startNats();
    server = await setup.connect('server');
    client = await setup.connect('client');
  });
  afterEach(() => setup.stop());

  async function serve(subject: string, answer: (message: Msg) => void): Promise<void> {
    server.nats.subscribe(subject, { callback: (_error, message) => answer(message) });
    await server.flush();
  }

  const ask = async (subject: string, text = '?', timeoutMs = 5_000): Promise<string> =>
    (await client.requests.request(subject, { data: Buffer.from(text), timeoutMs })).string();

  it('get each its own answer, in whatever order those come, on one subscription', async () => {
    const held: Msg[] = [];
    await serve('test.held', (message) => held.push(message));
    const before = client.nats.stats().outMsgs;
    const asked = Promise.all(['a', 'b', 'c'].map((text) => ask('test.held', text)));
    await until('all have come', () => held.length === 3);

    for (const message of held.reverse()) message.respond(`answer to ${message.string()}`);

    expect(await asked).toEqual(['answer to a', 'answer to b', 'answer to c']);
    expect(client.nats.stats().outMsgs - before).toBe(3);
    expect(new Set(held.map(({ reply }) => reply?.split('.').slice(0, -1).join('.'))).size).toBe(1);
  });

  it('take the first answer alone, and none that is late', async () => {
    const held: Msg[] = [];
    await serve('test.twice', (message) => {
      message.respond('first');
      message.respond('second');
    });
    await serve('test.late', (message) => held.push(message));

    expect(await ask('test.twice')).toBe('first');
    await expect(ask('test.late', '?', 20)).rejects.toBeInstanceOf(errors.TimeoutError);
    held[0]?.respond('late');
    expect(await ask('test.twice')).toBe('first');
  });

  it('are told at once that nobody is there, also when an empty answer is one', async () => {
    await serve('test.empty', (message) => message.respond());

    const failure = ask('test.nobody').catch((error: unknown) => error);

    expect(await failure).toMatchObject({ name: 'RequestError', cause: { subject: 'test.nobody' } });
    expect(await ask('test.empty')).toBe('');
  });

  it('go on after the server was away, on the same inbox', async () => {
    await serve('test.echo', (message) => message.respond(message.data));
    expect(await ask('test.echo', 'before')).toBe('before');

    await setup.restart({ withEmptyDisk: false });
    await until('both are back', () => client.isConnected() && server.isConnected());
    await Promise.all([client.flush(), server.flush()]);

    expect(await ask('test.echo', 'after')).toBe('after');
  });

  it('end at once when the connection closes, and none begins after that', async () => {
    await serve('test.silent', () => undefined);
    const failure = client.requests
      .request('test.silent', { data: DATA, timeoutMs: 60_000 })
      .catch((error: unknown) => error);
    await client.flush();

    await client.close();

    expect(await failure).toBeInstanceOf(errors.ClosedConnectionError);
    await expect(ask('test.silent')).rejects.toBeInstanceOf(errors.ClosedConnectionError);
  });
});
