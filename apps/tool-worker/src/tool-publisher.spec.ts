import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { type Delivery, type MessagingConnection, publishWork } from '@skein/messaging';
import { ToolPublisher } from './tool-publisher';

jest.mock('@skein/messaging', () => ({ publishWork: jest.fn(), STARTED_HEADER: 'Skein-Started' }));

const publish = jest.mocked(publishWork);
const connection = {} as MessagingConnection; // Passed on.
const call = {
  call: { dispatchId: 'd-1', pool: 'default' },
  ticket: { attempt: 1, deadlineMs: 0 },
} as ToolCallMessage;
const away = new AdkError('unavailable', 'nats.away', 'NATS is away');

/** A delivery of a call that was handed back so often. */
function aDelivery(returned = 0, startedBefore = 0): Delivery {
  const header = (name: string) => (name === 'Skein-Returned' && returned > 0 ? String(returned) : undefined);
  // All of it that is used.
  return { startedBefore, header, signal: new AbortController().signal } as Pick<
    Delivery,
    'startedBefore' | 'header' | 'signal'
  > as Delivery;
}

describe('a call that is handed back', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    publish.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  it('row 17: is sent until the stream has it, because nobody started it', async () => {
    publish.mockRejectedValueOnce(away).mockRejectedValueOnce(away);
    const publisher = new ToolPublisher(connection, { remainingMs: () => 60_000 });

    const handed = publisher.handBack(call, aDelivery());
    await jest.advanceTimersByTimeAsync(2_000);
    await handed;

    expect(publish.mock.calls.map(([, , , options]) => options.msgId)).toEqual(
      Array.from({ length: 3 }, () => 'd-1.1.returned.1'),
    );
  });

  it('row 33: keeps the count of its starts, and counts how often it was handed back', async () => {
    publish.mockResolvedValue({ isDuplicate: false });

    await new ToolPublisher(connection, { remainingMs: () => 60_000 }).handBack(call, aDelivery(3, 2));

    expect(publish.mock.calls.map(([, , , options]) => options)).toEqual([
      { msgId: 'd-1.1.returned.4', headers: { 'Skein-Returned': '4', 'Skein-Started': '2' } },
    ]);
  });

  it('is given up at its deadline', async () => {
    publish.mockRejectedValue(away);
    const publisher = new ToolPublisher(connection, { remainingMs: () => 0 });

    await expect(publisher.handBack(call, aDelivery())).rejects.toBe(away);
  });
});
