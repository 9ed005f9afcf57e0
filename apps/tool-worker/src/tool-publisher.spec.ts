import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { type MessagingConnection, publishCore, publishWork } from '@skein/messaging';
import { ToolPublisher } from './tool-publisher';

jest.mock('@skein/messaging', () => ({
  ...jest.requireActual<object>('@skein/messaging'),
  publishWork: jest.fn(),
  publishCore: jest.fn(async () => undefined),
}));

const publish = jest.mocked(publishWork);
const connection = {} as MessagingConnection; // Passed on.
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
