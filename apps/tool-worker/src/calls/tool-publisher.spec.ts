import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { type MessagingConnection, publishCore, publishWork } from '@skein/messaging';
import { ToolPublisher } from './tool-publisher';

jest.mock('@skein/messaging', () => ({
  ...jest.requireActual<object>('@skein/messaging'),
  publishWork: jest.fn(),
  publishCore: jest.fn(async () => undefined),
}));

const publish = jest.mocked(publishWork);
let reconnect = (): void => undefined;
let headers: Record<string, string> = {};
const connection = {
  whenConnected: async () => undefined,
  onReconnect: (callback: () => void) => (reconnect = callback),
  codec: { encode: async () => ({ data: new Uint8Array(), headers }) },
} as unknown as MessagingConnection; // What is used of one; else it is passed on.
const call = {
  call: { dispatchId: 'd-1', tool: 'add' },
  ticket: { attempt: 1, deadlineMs: 0 },
} as ToolCallMessage;
const result = { execution: { attempt: 2 } } as Parameters<ToolPublisher['publishResult']>[1];
const away = new AdkError('unavailable', 'nats.away', 'NATS is away');
const { signal } = new AbortController();

describe('a result', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    publish.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  it('row 31: is sent until the stream has it, under one id', async () => {
    publish.mockRejectedValueOnce(away).mockRejectedValueOnce(away);
    const publisher = new ToolPublisher(connection, { remainingMs: () => 60_000 });

    const sent = publisher.publishResult(call, result, signal);
    await jest.advanceTimersByTimeAsync(2_000);
    await sent;

    expect(publish.mock.calls.map(([, , , options]) => options.msgId)).toEqual(
      Array.from({ length: 3 }, () => 'r.d-1.1.2'),
    );
  });

  it('row 31: is given up at the deadline of its call', async () => {
    publish.mockRejectedValue(away);
    const publisher = new ToolPublisher(connection, { remainingMs: () => 0 });

    await expect(publisher.publishResult(call, result, signal)).rejects.toBe(away);
  });
});

describe('a result that a runner waits for', () => {
  const resultTo = 'result.3.for.runner-1';
  const [ofQueue, heard] = [expect.stringMatching(/^result\.\d+$/), resultTo];
  const refused = new AdkError('internal', 'nats.not-permitted', 'no');
  const sentTo = (): string[] => publish.mock.calls.map(([, subject]) => subject);
  const publisherOf = (): ToolPublisher => new ToolPublisher(connection, { remainingMs: () => 60_000 });
  const give = (publisher: ToolPublisher): Promise<void> =>
    publisher.publishResult({ ...call, resultTo }, result, signal);

  beforeEach(() => {
    publish.mockReset().mockResolvedValue({ isDuplicate: false });
    headers = {};
  });

  it('is sent to it once, and where nothing answers to the queue under the same id', async () => {
    publish.mockRejectedValueOnce(new AdkError('deadline', 'messaging.no-ack', 'no answer'));

    await give(publisherOf());

    expect(sentTo()).toEqual([heard, ofQueue]);
    const options = publish.mock.calls.map(([, , , { msgId, attempts }]) => ({ msgId, attempts }));
    expect(options).toEqual([
      { msgId: 'r.d-1.1.2', attempts: 1 },
      { msgId: 'r.d-1.1.2', attempts: undefined },
    ]);
  });

  it('row 16: is sent to no runner after one was refused, until the connection is another', async () => {
    publish.mockRejectedValueOnce(refused);
    const publisher = publisherOf();

    await give(publisher);
    await give(publisher);
    const before = sentTo();
    reconnect();
    await give(publisher);

    expect(before).toEqual([heard, ofQueue, ofQueue]);
    expect(sentTo().at(-1)).toBe(heard);
  });

  it('is sent to the queue alone where it is too large for a message: no runner hears it', async () => {
    headers = { 'Skein-Payload': 'elsewhere' };

    await give(publisherOf());

    expect(sentTo()).toEqual([ofQueue]);
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
