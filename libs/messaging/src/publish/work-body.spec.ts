import { AdkError } from '@skein/contracts';
import { type MessagingConnection } from '../connection/messaging-connection';
import { WorkBody } from './work-body';

function aBody() {
  let isAway = false;
  const encode = jest.fn(async () => ({ data: new Uint8Array(), headers: {} }));
  const whenConnected = async (): Promise<void> => {
    if (isAway) throw new AdkError('unavailable', 'nats.away', 'away');
  };
  const connection = { whenConnected, codec: { encode } } as unknown as MessagingConnection; // What it uses of one.
  return { work: new WorkBody(connection, {}), encode, away: (is: boolean) => (isAway = is) };
}

describe('a body that is sent more than once', () => {
  it('row 31: is put nowhere while NATS is away', async () => {
    const { work, encode, away } = aBody();
    away(true);

    await expect(work.encoded(1)).rejects.toMatchObject({ code: 'nats.away' });

    expect(encode).not.toHaveBeenCalled();
  });

  it('row 31: is encoded once, however often it is sent', async () => {
    const { work, encode, away } = aBody();

    const first = await work.encoded(1);
    away(true);
    await expect(work.encoded(1)).rejects.toMatchObject({ code: 'nats.away' });
    away(false);

    expect(await work.encoded(1)).toBe(first);
    expect(encode).toHaveBeenCalledTimes(1);
  });
});
