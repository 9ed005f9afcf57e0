import { connect } from 'node:net';
import path from 'node:path';
import { subjects, type SessionKey, type SessionVerb } from '@skein/contracts';
import { publishCore, serveRpc, type MessagingConnection, type RpcServer } from '@skein/messaging';
import { HealthServer, loadConfig, Shutdown, silentLogger } from '@skein/platform';
import { z } from 'zod';
import { gatewayConfig } from '../../apps/gateway/src/config';
import { NatsSessionFeed } from '../../apps/gateway/src/nats/nats-session-feed';
import type { FeedMessage } from '../../apps/gateway/src/session-feed';
import { startGateway } from '../../apps/gateway/src/start-gateway';
import { anEvent, FakeSessionSvc, SESSION_UID } from '../../apps/gateway/test/fake-session-svc';
import { ask, makeAgentsDir, type Answer } from '../../apps/gateway/test/running-gateway';
import { startNats, until, type NatsSetup } from './messaging-setup';

const key: SessionKey = { appName: 'quickstart', userId: 'a.b *', sessionId: 'é > 1' };
const request = { ...key, newMessage: { parts: [{ text: 'hello' }] } };

describe('the gateway on NATS', () => {
  let setup: NatsSetup;
  let other: MessagingConnection;
  let gateway: { readonly url: string; stop(): Promise<void> };
  let svc: FakeSessionSvc;
  let servers: RpcServer[];

  beforeEach(async () => {
    setup = await startNats();
    other = await setup.connect('session-svc');
    svc = new FakeSessionSvc();
    servers = serve(other, svc);
    await other.flush();
    gateway = await start(setup);
  });
  afterEach(async () => {
    await gateway.stop();
    await setup.stop();
  });

  it('is ready once session-svc answers and a runner announced itself', async () => {
    const before = await ask(gateway.url, { path: '/ready' });

    await until('ready', async () => {
      // Again and again, as a runner does: what it said last is forgotten after some seconds.
      await publishCore(other, subjects.runnerAnnouncement, { runnerId: 'r', credit: 1 });
      return (await ask(gateway.url, { path: '/ready' })).status === 200;
    });
    await Promise.all(servers.map((server) => server.close()));
    const after = await ask(gateway.url, { path: '/ready' });

    expect([before.status, after.status]).toEqual([503, 503]);
    expect(JSON.parse(before.text)).toMatchObject({
      checks: { nats: 'up', 'session-svc': 'up', runner: 'down' },
    });
    expect(JSON.parse(after.text)).toMatchObject({ checks: { nats: 'up', 'session-svc': 'down' } });
  });

  it('streams what is published of a session whose ids hold dots, wildcards and spaces', async () => {
    svc.onSubmit = () => void play(other, svc);

    const answer = await ask(gateway.url, { path: '/run_sse', body: { ...request, streaming: true } });

    expect(idsIn(answer)).toEqual(['event-2 partial', 'event-2']);
  });

  it('shows the next turn of a session, and nothing of the one before', async () => {
    svc.onSubmit = () => void play(other, svc);
    await ask(gateway.url, { path: '/run_sse', body: request });
    svc.segment = 1;
    svc.onSubmit = () => {
      svc.publish(svc.log[1] ?? svc.store());
      svc.say({ author: 'user' });
      svc.say();
      svc.end();
    };

    const answer = await ask(gateway.url, { path: '/run_sse', body: request });

    expect(idsIn(answer)).toEqual(['event-4']);
  });

  it('gives each stream of a session what is heard of it, and one that opens after the others ended', async () => {
    const feed = new NatsSessionFeed(await setup.connect('gateway'));
    const heard: FeedMessage[][] = [[], [], []];
    const open = (n: number) => feed.open(key, (message) => heard[n]?.push(message));
    const publish = (seq: number) =>
      publishCore(other, subjects.event(key), { seq, event: anEvent(), sessionUid: SESSION_UID });
    const [first, second] = [open(0), open(1)];
    await until('subscribed', async () => {
      await publish(1);
      return heard[1]?.length !== 0;
    });

    first.close();
    const ofFirst = heard[0]?.length;
    await publish(2);
    await until('heard by the second', () => seqsIn(heard[1]).includes(2));
    second.close();
    second.close();
    open(2);
    await publish(3);
    await until('heard by the third', () => seqsIn(heard[2]).includes(3));

    expect(heard[0]).toHaveLength(ofFirst ?? NaN);
    expect([seqsIn(heard[1]).includes(3), seqsIn(heard[2])]).toEqual([false, [3]]);
  });

  it('shows every chunk that was sent before the event was stored, however close', async () => {
    svc.onSubmit = () => void play(other, svc, 100);

    const answer = await ask(gateway.url, { path: '/run_sse', body: { ...request, streaming: true } });

    expect(idsIn(answer)).toEqual([...Array.from({ length: 100 }, () => 'event-2 partial'), 'event-2']);
  });

  it('goes on after NATS restarted, with the events it missed', async () => {
    svc.onSubmit = () => {
      void publishCore(other, subjects.event(key), { ...svc.store(), sessionUid: SESSION_UID });
    };
    let shown = '';
    const onChunk = (chunk: string): void => void (shown += chunk);
    const answered = ask(gateway.url, { path: '/run_sse', body: request, onChunk });
    // The answer of the submit is on its way by NATS too, and is not to be lost with it here.
    await until('shown', () => shown.includes('event-1'));

    const restarted = setup.restart({ withEmptyDisk: true });
    svc.store();
    svc.store();
    svc.state = { status: 'completed' };
    await restarted;

    expect(idsIn(await answered)).toEqual(['event-1', 'event-2', 'event-3']);
  });

  it('answers 503 with Retry-After when nobody serves sessions', async () => {
    await Promise.all(servers.map((server) => server.close()));

    const answer = await ask(gateway.url, { path: '/run', body: request });

    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
  });

  it('ends although a client holds a connection on which it asked nothing', async () => {
    const { hostname, port } = new URL(gateway.url);
    const idle = connect(Number(port), hostname);
    const closed = new Promise((resolve) => idle.once('close', resolve));
    await until('connected', () => idle.readyState === 'open');

    await gateway.stop();

    await closed;
  });
});

function seqsIn(heard: readonly FeedMessage[] = []): number[] {
  return heard.flatMap((message) => (message.kind === 'event' ? [message.message.seq] : []));
}

/** Plays a run over real subjects: the user's event, chunks, the final event, the end. */
async function play(connection: MessagingConnection, svc: FakeSessionSvc, chunks = 1): Promise<void> {
  svc.feed.open(key, (message) => {
    const isEvent = message.kind === 'event';
    const subject = isEvent ? subjects.event(key) : subjects.partial(key);
    if (message.kind !== 'missed') {
      void publishCore(connection, subject, isEvent ? message.message : message.frame);
    }
  });
  svc.say({ author: 'user' });
  const event = anEvent({ id: 'event-2', partial: true });
  for (let n = 0; n < chunks; n++)
    svc.feed.partial({ kind: 'chunk', epoch: 1, segment: 0, n, afterSeq: 1, event });
  svc.say();
  svc.end();
}

function serve(connection: MessagingConnection, svc: FakeSessionSvc): RpcServer[] {
  const answers: readonly [SessionVerb, (body: never) => Promise<unknown>][] = [
    ['submit', (body) => svc.submit(body)],
    ['list', (body) => svc.list(body)],
    ['events', (body) => svc.events(body)],
    ['invocation', (body) => svc.invocation(body)],
  ];
  return answers.map(([verb, handler]) =>
    // The fake takes each verb's own shape; what the gateway sends is checked by the contracts on the other side.
    serveRpc(connection, subjects.sessionRpc(verb), {
      schema: z.any(),
      handler: (body) => handler(body as never),
    }),
  );
}

async function start(setup: NatsSetup) {
  const config = loadConfig(gatewayConfig, {
    NATS_URL: setup.url,
    DATA_DIR: setup.dataDir,
    AGENTS_DIR: await makeAgentsDir(path.join(setup.dataDir, 'agents')),
    PORT: '0',
  });
  const health = new HealthServer({ host: '127.0.0.1', port: 0 });
  const shutdown = new Shutdown(silentLogger);
  const { url } = await startGateway({ config, logger: silentLogger, health, shutdown });
  health.started();
  return { url, stop: () => shutdown.run() };
}

function idsIn({ text }: Answer): string[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => {
    const { id, partial } = JSON.parse(json) as { id: string; partial?: boolean };
    return partial === true ? `${id} partial` : id;
  });
}
