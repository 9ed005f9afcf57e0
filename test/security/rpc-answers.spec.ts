import { type Msg, type NatsConnection } from '@nats-io/transport-node';
import { inboxPrefixOf } from '@skein/contracts';
import { type MessagingConnection, RpcClient } from '@skein/messaging';
import { z } from 'zod';
import { PermittedNats, workerUsers } from './support/permitted-nats';

const SUBJECT = 'rpc.session.submit';
const GENUINE = answerOf({ from: 'session-svc' });
const FORGED = answerOf({ from: 'a forger' });

function answerOf(value: unknown): string {
  return JSON.stringify({ ok: true, value });
}

describe('row 19: a forged answer to a request', () => {
  let nats: PermittedNats;
  let gateway: MessagingConnection;
  /** A party that may send to the inboxes of others: what keeps it from speaking for another is the id alone. */
  let service: NatsConnection;

  beforeAll(async () => {
    nats = await PermittedNats.start();
    gateway = await nats.ours('gateway');
    service = await nats.raw('session-svc');
  }, 60_000);
  afterAll(() => nats?.stop());

  /** A request that waits for its answer. */
  async function aRequest(): Promise<{ asked: Msg; reply: string; answer: Promise<unknown> }> {
    const subscription = service.subscribe(SUBJECT, { max: 1 });
    await service.flush();
    const answer = new RpcClient(gateway).request(SUBJECT, z.unknown(), {}, { timeoutMs: 10_000 });
    answer.catch(() => undefined); // Whoever awaits it hears of it.
    for await (const asked of subscription) return { asked, reply: asked.reply ?? '', answer };
    throw new Error('nobody asked');
  }

  it('goes to an inbox of the asking service alone, which no worker can send to though it knows all of it', async () => {
    const { asked, reply, answer } = await aRequest();
    expect(reply.startsWith(`${inboxPrefixOf('gateway')}.`)).toBe(true);

    for (const { user } of workerUsers) expect(await nats.refused(user, 'publish', [reply])).toEqual([reply]);
    for (const user of ['runner', 'gateway'])
      expect([user, await nats.refused(user, 'publish', [reply])]).toEqual([user, [reply]]);
    asked.respond(GENUINE);

    expect(await answer).toEqual({ from: 'session-svc' });
  });

  it('with the id of no request, of one that was answered, or with none, is dropped', async () => {
    const first = await aRequest();
    first.asked.respond(GENUINE);
    await first.answer;
    const { asked, reply, answer } = await aRequest();
    const inbox = reply.slice(0, reply.lastIndexOf('.'));

    for (const subject of [`${inbox}.another`, first.reply, inbox, `${inbox}.0`, `${reply}.more`])
      service.publish(subject, FORGED);
    asked.respond(GENUINE);
    asked.respond(FORGED);

    expect(await answer).toEqual({ from: 'session-svc' });
    const { asked: next, answer: nextAnswer } = await aRequest();
    next.respond(answerOf(3));
    expect(await nextAnswer).toBe(3);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"ok":true,'],
    ['no envelope', '7'],
    ['an envelope without a verdict', '{"value":1}'],
    ['an error that is none', '{"ok":false,"error":"no"}'],
  ])('that is %s is an error to who asked, never an answer', async (_what, body) => {
    const { asked, answer } = await aRequest();

    asked.respond(body);

    await expect(answer).rejects.toMatchObject({ code: expect.stringMatching(/^(message|rpc)\./) });
  });
});
