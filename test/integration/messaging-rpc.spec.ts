import { headers } from '@nats-io/transport-node';
import { AdkError, rpcReplySchema } from '@skein/contracts';
import { type MessagingConnection, RpcClient, serveRpc, subscribeCore, publishCore } from '@skein/messaging';
import { z } from 'zod';
import { gate, type NatsSetup, startNats, until } from './messaging-setup';

const requestSchema = z.object({ text: z.string() });
const second = { timeoutMs: 5_000 };

describe('request and reply over NATS', () => {
  let setup: NatsSetup;
  let server: MessagingConnection;
  let client: MessagingConnection;
  let rpc: RpcClient;

  beforeAll(async () => {
    setup = await startNats();
    server = await setup.connect('server');
    client = await setup.connect('client');
    rpc = new RpcClient(client);
  });
  afterAll(() => setup.stop());

  async function serve(
    subject: string,
    handler: (body: { text: string }) => Promise<unknown>,
    concurrency = 16,
  ) {
    const serving = serveRpc(server, subject, { queue: 'test', schema: requestSchema, handler, concurrency });
    await server.flush();
    return serving;
  }

  it('answers what the handler returned', async () => {
    await serve('rpc.test.echo', async ({ text }) => ({ text: text.toUpperCase() }));

    const answer = await rpc.request('rpc.test.echo', requestSchema, { text: 'ja' }, second);

    expect(answer).toEqual({ text: 'JA' });
  });

  it('carries the code, kind and details of an error, and never its stack', async () => {
    await serve('rpc.test.fail', async () => {
      throw new AdkError('conflict', 'session.exists', 'it is there', {
        details: { id: 's' },
        retryAfterMs: 7,
      });
    });

    const failure = rpc.request('rpc.test.fail', z.unknown(), { text: '' }, second);

    await expect(failure).rejects.toMatchObject({
      kind: 'conflict',
      code: 'session.exists',
      message: 'it is there',
      details: { id: 's' },
      retryAfterMs: 7,
    });
  });

  it('hides what an unexpected throw says', async () => {
    await serve('rpc.test.throw', async () => {
      throw new Error('password is hunter2');
    });

    const failure = rpc.request('rpc.test.throw', z.unknown(), { text: '' }, second);

    await expect(failure).rejects.toMatchObject({
      kind: 'internal',
      message: 'An unexpected error occurred.',
    });
  });

  it.each([
    ['text that is not JSON', '{"text":', 'message.json'],
    ['nothing at all', '', 'message.json'],
    ['a value of another shape', '{"text":1}', 'message.shape'],
    ['null', 'null', 'message.shape'],
  ])('answers %s with an error instead of silence', async (_, body, code) => {
    await serve('rpc.test.strict', async () => 'never');

    const reply = await client.nats.request('rpc.test.strict', body, { timeout: 5_000 });

    const parsed = rpcReplySchema.parse(reply.json());
    expect(parsed).toMatchObject({ ok: false, error: { kind: 'invalid', code } });
    expect(reply.string()).not.toContain('node_modules');
  });

  it('carries bodies of 2 MiB in both directions by reference', async () => {
    const text = 'ü'.repeat(1024 * 1024);
    await serve('rpc.test.large', async (body) => body);

    const answer = await rpc.request('rpc.test.large', requestSchema, { text }, second);

    expect(answer.text).toBe(text);
  });

  it('refuses a reference that was tampered with, and one that names a file', async () => {
    await serve('rpc.test.reference', async (body) => body);
    const hash = 'a'.repeat(64);
    const references = [
      `../../etc/passwd;sha256=${hash};size=5`,
      `${crypto.randomUUID()};sha256=${hash};size=5`,
      'x',
    ];

    const failures = references.map(async (reference) => {
      const made = headers();
      made.set('Skein-Payload', reference);
      const reply = await client.nats.request('rpc.test.reference', '', { timeout: 5_000, headers: made });
      const parsed = rpcReplySchema.parse(reply.json());
      return parsed.ok ? 'answered' : parsed.error.code;
    });

    expect(await Promise.all(failures)).toEqual(['payload.key', 'payload.missing', 'payload.reference']);
  });

  it('says at once when nobody answers', async () => {
    const failure = rpc.request('rpc.test.nobody', z.unknown(), {}, { timeoutMs: 60_000 });

    await expect(failure).rejects.toMatchObject({ kind: 'unavailable', code: 'rpc.no-responders' });
  });

  it('says when an answer is late', async () => {
    await serve('rpc.test.late', () => new Promise(() => undefined));

    const failure = rpc.request('rpc.test.late', z.unknown(), { text: '' }, { timeoutMs: 50 });

    await expect(failure).rejects.toMatchObject({ kind: 'deadline', code: 'rpc.timeout' });
  });

  it('ends the wait when the caller gives up', async () => {
    await serve('rpc.test.abort', () => new Promise(() => undefined));
    const giveUp = new AbortController();

    const failure = rpc.request(
      'rpc.test.abort',
      z.unknown(),
      { text: '' },
      { ...second, signal: giveUp.signal },
    );
    giveUp.abort();

    await expect(failure).rejects.toMatchObject({ kind: 'cancelled', code: 'rpc.cancelled' });
  });

  it('answers what is in flight when it closes, and takes nothing more', async () => {
    const started = gate();
    const release = gate();
    const serving = await serve('rpc.test.close', async () => {
      started.open();
      await release.opened;
      return 'answered';
    });
    const inFlight = rpc.request('rpc.test.close', z.string(), { text: '' }, second);
    await started.opened;

    const closed = serving.close();
    await until('the subscription is gone', async () => {
      const failure: unknown = await rpc
        .request('rpc.test.close', z.string(), { text: '' }, { timeoutMs: 100 })
        .catch((error: unknown) => error);
      return AdkError.isInstance(failure) && failure.code === 'rpc.no-responders';
    });
    release.open();

    expect(await inFlight).toBe('answered');
    await closed;
  });

  it('refuses what is beyond its line instead of keeping it in memory', async () => {
    const release = gate();
    const refused: string[] = [];
    await serve('rpc.test.busy', () => release.opened.then(() => 'done'), 2);
    const requests = Array.from({ length: 30 }, async () => {
      try {
        return await rpc.request('rpc.test.busy', z.string(), { text: '' }, second);
      } catch (error) {
        refused.push(AdkError.from(error).code);
        return 'refused';
      }
    });

    await until('all that are too many are refused', () => refused.length === 20);
    release.open();
    const answers = await Promise.all(requests);

    expect(answers.filter((answer) => answer === 'done')).toHaveLength(2 + 8);
    expect(new Set(refused)).toEqual(new Set(['rpc.overloaded']));
  });

  it('hands over core messages in order and leaves out what does not fit', async () => {
    const seen: number[] = [];
    const subscription = subscribeCore(server, 'partial.test', z.object({ n: z.number() }), ({ n }) =>
      seen.push(n),
    );
    await server.flush();

    for (const n of [1, 'two', 3]) await publishCore(client, 'partial.test', { n });
    await until('both arrived', () => seen.length === 2);

    expect(seen).toEqual([1, 3]);
    await subscription.close();
  });
});
