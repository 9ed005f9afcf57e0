import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { headers } from '@nats-io/transport-node';
import { EventLog } from './event-log';
import { ReadRefused } from './gateway-reader';
import { MessageHandler, type ReceivedMessage } from './message-handler';

const UID = '0b0e7c3a-3f6c-4f0e-9d51-0c8f4e4b7a11';
let directory: string;
let log: EventLog;

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'skein-handler-'));
  log = await EventLog.open(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A gateway with these events; without any it throws the error. */
function aGateway(lastSeq: number, error?: Error) {
  const asked: number[] = [];
  const eventsAfter = ({ seq }: { readonly seq: number }) => {
    asked.push(seq);
    if (error) return Promise.reject(error);
    const all = Array.from({ length: lastSeq }, (_, index) => ({ seq: index + 1, event: index + 1 }));
    // Pages of two.
    return Promise.resolve({ lastSeq, events: all.slice(seq, seq + 2) });
  };
  return { asked, eventsAfter };
}

function aMessage(seq: number, more: { deliveryCount?: number; id?: string } = {}) {
  const ack = jest.fn();
  const nak = jest.fn();
  const term = jest.fn();
  const sent = headers();
  sent.set('Nats-Msg-Id', more.id ?? `${UID}.${seq}`);
  const message = {
    subject: 'event.notes.ada.s1',
    headers: sent,
    json: () => ({ sessionUid: UID, seq, event: seq }),
    info: { deliveryCount: more.deliveryCount ?? 1 },
    ack,
    nak,
    term,
  };
  // Of what the handler does not look at nothing is needed.
  return { ack, nak, term, message: message as unknown as ReceivedMessage };
}

function seqs(): number[] {
  const lines = readFileSync(path.join(directory, `${UID}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => (JSON.parse(line) as { seq: number }).seq);
}

describe('a subscriber that is given a message', () => {
  it('applies the next one, drops one it had, and asks nobody', async () => {
    const gateway = aGateway(9);
    const handler = new MessageHandler(log, gateway, jest.fn());
    const given = [1, 2, 1, 2, 3].map((seq) => aMessage(seq));

    for (const { message } of given) await handler.handle(message);

    expect(seqs()).toEqual([1, 2, 3]);
    expect(given.map(({ ack }) => ack.mock.calls.length)).toEqual([1, 1, 1, 1, 1]);
    expect(gateway.asked).toEqual([]);
  });

  it('reads a gap page by page, and drops what comes after it a second time', async () => {
    const gateway = aGateway(5);
    const handler = new MessageHandler(log, gateway, jest.fn());

    for (const seq of [4, 5]) await handler.handle(aMessage(seq).message);

    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(gateway.asked).toEqual([0, 2, 4]);
  });

  it('hands a message after a gap back while the gateway is away, and goes on with it later', async () => {
    const away = new MessageHandler(log, aGateway(0, new Error('503')), jest.fn());
    const { message, ack, nak } = aMessage(2);
    await away.handle(message);
    const before = [ack.mock.calls.length, nak.mock.calls];

    await new MessageHandler(log, aGateway(2), jest.fn()).handle(message);

    expect(before).toEqual([0, [[5_000]]]);
    expect(ack).toHaveBeenCalledTimes(1);
    expect(seqs()).toEqual([1, 2]);
  });

  it('passes a gap of a deleted session only once what is still under way had its time', async () => {
    const said: string[] = [];
    const gateway = aGateway(0, new ReadRefused('404', true));
    const handler = new MessageHandler(log, gateway, (line) => said.push(line));
    const first = aMessage(3);
    await handler.handle(first.message);
    const again = aMessage(3, { deliveryCount: 2 });

    await handler.handle(again.message);

    expect([first.ack.mock.calls, first.nak.mock.calls]).toEqual([[], [[35_000]]]);
    expect(again.ack).toHaveBeenCalledTimes(1);
    expect(seqs()).toEqual([3]);
    expect(said.join()).toMatch(/notes\/ada\/s1 was deleted: it lacks/);
  });

  it.each(['', 'x.1', `${UID}.0`, `../../${UID}.1`])('refuses a message of the id "%s"', async (id) => {
    const { message, term } = aMessage(1, { id });

    await new MessageHandler(log, aGateway(1), jest.fn()).handle(message);

    expect(term).toHaveBeenCalledTimes(1);
  });

  it('cuts off what a crash left behind the position', async () => {
    const handler = new MessageHandler(log, aGateway(0), jest.fn());
    await handler.handle(aMessage(1).message);
    const file = path.join(directory, `${UID}.jsonl`);
    const position = readFileSync(path.join(directory, `${UID}.position.json`), 'utf8');
    truncateSync(file, (JSON.parse(position) as { sizeBytes: number }).sizeBytes + 7);

    await handler.handle(aMessage(2).message);

    expect(seqs()).toEqual([1, 2]);
  });
});
