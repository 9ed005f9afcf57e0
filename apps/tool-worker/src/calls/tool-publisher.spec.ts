import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { type Delivery, type MessagingConnection, publishCore, publishWork } from '@skein/messaging';
import { ToolPublisher } from './tool-publisher';

jest.mock('@skein/messaging', () => ({
  ...jest.requireActual<object>('@skein/messaging'),
  publishWork: jest.fn(),
  publishCore: jest.fn(async () => undefined),
  RpcClient: class {
    request = (...asked: unknown[]): unknown => ask(...asked);
  },
}));

const ask = jest.fn();

const publish = jest.mocked(publishWork);
let reconnect = (): void => undefined;
let headers: Record<string, string> = {};
const connection = {
  whenConnected: async () => undefined,
  onReconnect: (callback: () => void) => (reconnect = callback),
  codec: { encode: async () => ({ data: new Uint8Array(), headers }) },
} as unknown as MessagingConnection; // What is used of one; else it is passed on.
const call = {
  call: { dispatchId: 'd-1', tool: 'add', policy: { sideEffect: 'idempotent' } },
  ticket: { attempt: 1, deadlineMs: 0 },
} as ToolCallMessage;
const result = {
  ...{ outcome: { kind: 'result', value: 3 }, execution: { attempt: 2 } },
} as Parameters<ToolPublisher['publishResult']>[1];
const away = new AdkError('unavailable', 'nats.away', 'NATS is away');
const held: Pick<Delivery, 'signal' | 'aside'> = {
  signal: new AbortController().signal,
  aside: (wait) => wait(),
};

describe('a result', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    publish.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  it('row 31: is sent until the stream has it, under one id', async () => {
    publish.mockRejectedValueOnce(away).mockRejectedValueOnce(away);
    const publisher = new ToolPublisher(connection, { remainingMs: () => 60_000 });

    const sent = publisher.publishResult(call, result, held);
    await jest.advanceTimersByTimeAsync(2_000);
    await sent;

    expect(publish.mock.calls.map(([, , , options]) => options.msgId)).toEqual(
      Array.from({ length: 3 }, () => 'r.d-1.1.2'),
    );
  });

  it('row 31: is given up at the deadline of its call', async () => {
    publish.mockRejectedValue(away);
    const publisher = new ToolPublisher(connection, { remainingMs: () => 0 });

    await expect(publisher.publishResult(call, result, held)).rejects.toBe(away);
  });
});

describe('a result that a runner waits for', () => {
  const answerTo = 'answer.runner-1';
  const ofQueue = expect.stringMatching(/^result\.\d+$/) as string;
  const refused = new AdkError('internal', 'nats.not-permitted', 'no');
  const late = new AdkError('deadline', 'rpc.timeout', 'no answer');
  /** Where it was sent to, in order. */
  const sentTo: string[] = [];
  const publisherOf = (): ToolPublisher => new ToolPublisher(connection, { remainingMs: () => 60_000 });

  function give(publisher: ToolPublisher, over: Partial<typeof result> = {}, of = call): Promise<void> {
    return publisher.publishResult({ ...of, answerTo }, { ...result, ...over }, held);
  }

  beforeEach(() => {
    sentTo.length = 0;
    headers = {};
    publish.mockReset().mockImplementation(async (_connection, subject) => {
      sentTo.push(subject);
      return { isDuplicate: false };
    });
    ask.mockReset().mockImplementation(async (subject: string) => {
      sentTo.push(subject);
      return { disposition: 'applied' };
    });
  });

  it('is sent nowhere else once that runner has stored what it led to', async () => {
    await give(publisherOf());

    expect(sentTo).toEqual([answerTo]);
    expect(ask.mock.calls[0]?.[3]).toMatchObject({ timeoutMs: 100 });
  });

  it('of a tool that only reads has an id of its own for each sending of its call', async () => {
    ask.mockImplementationOnce(async () => ({ disposition: 'unknown' }));
    const policy = { ...call.call.policy, readOnly: true };
    const of = { ...call, call: { ...call.call, policy }, ticket: { ...call.ticket, deadlineMs: 17 } };

    await give(publisherOf(), {}, of);

    expect(publish.mock.calls[0]?.[3]).toMatchObject({ msgId: 'r.d-1.1.2.17' });
  });

  it.each([
    ['says that it has not stored it', async () => ({ disposition: 'unknown' })],
    ['does not answer in time', () => Promise.reject(late)],
    ['is not there', () => Promise.reject(new AdkError('unavailable', 'rpc.no-responders', 'nobody'))],
    ['answers what is no answer', () => Promise.reject(new AdkError('internal', 'rpc.reply-shape', 'odd'))],
    ['is not to be asked', () => Promise.reject(refused)],
  ])('goes into the queue, under its id, where the runner %s', async (_what, answer) => {
    ask.mockImplementationOnce(answer);

    await give(publisherOf());

    expect(sentTo).toEqual([ofQueue]);
    expect(publish.mock.calls[0]?.[3]).toMatchObject({ msgId: 'r.d-1.1.2' });
  });

  it('row 31: is sent to the runner once, however often to the queue', async () => {
    jest.useFakeTimers();
    ask.mockRejectedValueOnce(late);
    publish.mockRejectedValueOnce(away);

    const sent = give(publisherOf());
    await jest.advanceTimersByTimeAsync(2_000);
    await sent;
    jest.useRealTimers();

    expect(ask).toHaveBeenCalledTimes(1);
    expect(publish).toHaveBeenCalledTimes(2);
  });

  it('row 16: is sent to no runner after one was refused, until the connection is another', async () => {
    ask.mockRejectedValueOnce(refused);
    const publisher = publisherOf();

    await give(publisher);
    await give(publisher);
    const before = [...sentTo];
    reconnect();
    await give(publisher);

    expect(before).toEqual([ofQueue, ofQueue]);
    expect(sentTo.at(-1)).toBe(answerTo);
  });

  it('goes into the queue alone where it is too large for a message: no runner reads it', async () => {
    headers = { 'Skein-Payload': 'elsewhere' };

    await give(publisherOf());

    expect(sentTo).toEqual([ofQueue]);
  });

  it('goes into the queue alone where it is a failure: session-svc decides whether it is tried again', async () => {
    await give(publisherOf(), { outcome: { kind: 'error', code: 'tool.threw', message: 'no' } });

    expect(sentTo).toEqual([ofQueue]);
  });

  it('row 9: goes into the queue alone where its tool may run once: nothing but it tells what the tool did', async () => {
    const policy = { ...call.call.policy, sideEffect: 'once' } as const;

    await give(publisherOf(), {}, { ...call, call: { ...call.call, policy } });

    expect(sentTo).toEqual([ofQueue]);
  });

  it('is waited for aside, and put into the queue in its place', async () => {
    ask.mockResolvedValueOnce({ disposition: 'unknown' });
    const did: string[] = [];
    publish.mockImplementationOnce(async () => {
      did.push('queue');
      return { isDuplicate: false };
    });
    const aside: Delivery['aside'] = async (wait) => {
      did.push('aside');
      const waited = await wait();
      did.push('back');
      return waited;
    };

    await publisherOf().publishResult({ ...call, answerTo }, result, { ...held, aside });

    expect(did).toEqual(['aside', 'back', 'queue']);
  });
});

describe('how far a call has got', () => {
  it.each([
    [undefined, 1],
    [false, 0],
  ])('is sent to who follows the run, and to nobody where nobody does (%s)', (isFollowed, times) => {
    const told = jest.mocked(publishCore).mockClear();
    const policy = { timeoutMs: 1, maxAttempts: 1, sideEffect: 'idempotent', isFollowed } as const;
    const followed: ToolCallMessage = { ...call, call: { ...call.call, policy } };
    const progress = new ToolPublisher(connection, { remainingMs: () => 1 }).progressOf(followed, 1);

    progress.offer('half');
    progress.close();

    expect(told).toHaveBeenCalledTimes(times);
  });
});
