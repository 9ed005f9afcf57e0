import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { type MessagingConnection, publishWork } from '@skein/messaging';
import { ToolPublisher } from './tool-publisher';

jest.mock('@skein/messaging', () => ({ publishWork: jest.fn() }));

const publish = jest.mocked(publishWork);
const connection = {} as MessagingConnection; // Passed on.
const call = {
  call: { dispatchId: 'd-1', pool: 'default' },
  ticket: { attempt: 1, deadlineMs: 0 },
} as ToolCallMessage;
const away = new AdkError('unavailable', 'nats.away', 'NATS is away');

describe('a call that is handed back', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    publish.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  it('row 17: is sent until the stream has it, because nobody started it', async () => {
    publish.mockRejectedValueOnce(away).mockRejectedValueOnce(away);
    const publisher = new ToolPublisher(connection, { remainingMs: () => 60_000 });

    const handed = publisher.handBack(call, 1, new AbortController().signal);
    await jest.advanceTimersByTimeAsync(2_000);
    await handed;

    expect(publish.mock.calls.map(([, , , options]) => options.msgId)).toEqual(
      Array.from({ length: 3 }, () => 'd-1.1.returned.1'),
    );
  });

  it('is given up at its deadline', async () => {
    publish.mockRejectedValue(away);
    const publisher = new ToolPublisher(connection, { remainingMs: () => 0 });

    await expect(publisher.handBack(call, 1, new AbortController().signal)).rejects.toBe(away);
  });
});
