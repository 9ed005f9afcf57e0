import { headers, type Msg } from '@nats-io/transport-node';
import { silentLogger } from '@skein/platform';
import { type MessagingConnection } from '../connection/messaging-connection';
import { putBack } from './put-back';
import { WorkMessage } from './work-message';

interface Sent {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: ReturnType<typeof headers>;
}

let sent: Sent[];
let failure: Error | undefined;
jest.mock('@nats-io/jetstream', () => ({
  jetstream: () => ({
    publish: async (subject: string, data: Uint8Array, options: Sent) => {
      if (failure) throw failure;
      sent.push({ subject, data, headers: options.headers });
    },
  }),
}));

beforeEach(() => {
  sent = [];
  failure = undefined;
});

/** A message at its n-th delivery, and what the server is told about it. */
function aMessage(delivery = 1, started = 0): { message: WorkMessage; told: string[] } {
  const told: string[] = [];
  const given = headers();
  given.set('Nats-Msg-Id', 'd-1.1');
  given.set('traceparent', '00-1-2-01');
  if (started > 0) given.set('Skein-Started', String(started));
  const raw = {
    subject: 'tool.default.normal',
    data: new TextEncoder().encode('{}'),
    reply: `$JS.ACK.TOOLS.tools_default.${delivery}.7.1.1763640000000000000.0`,
    headers: given,
    respond: (what: string) => told.push(what) > 0,
  };
  return { message: new WorkMessage(raw as unknown as Msg), told };
}

function aConnection(isConnected = true): MessagingConnection {
  // As much of it as is used.
  return { isConnected: () => isConnected, nats: {}, logger: silentLogger } as unknown as MessagingConnection;
}

describe('putBack', () => {
  it('row 41: gives an unstarted message on as one nobody had: a new message, and the old one done', async () => {
    const { message, told } = aMessage();

    await putBack(aConnection(), message);

    expect(sent).toMatchObject([{ subject: 'tool.default.normal', data: message.raw.data }]);
    expect(sent[0]?.headers.get('Nats-Msg-Id')).toBe('d-1.1.unstarted.7');
    expect(sent[0]?.headers.get('traceparent')).toBe('00-1-2-01');
    expect(sent[0]?.headers.values('Skein-Started')).toEqual(['0']);
    expect(told).toEqual(['+ACK']);
  });

  it('row 41: gives on with it how often it may have been started, and does not count itself', async () => {
    const { message, told } = aMessage(3, 1);

    await putBack(aConnection(), message);

    expect(sent[0]?.headers.values('Skein-Started')).toEqual(['3']);
    expect(told).toEqual(['+ACK']);
  });

  it('hands a message back with a nak while NATS is away', async () => {
    const { message, told } = aMessage();

    await putBack(aConnection(false), message);

    expect(sent).toEqual([]);
    expect(told).toEqual(['-NAK {"delay":0}']);
  });

  it('hands it back with a nak when the stream does not take it: never an ack before it is stored', async () => {
    const { message, told } = aMessage();
    failure = new Error('no space');

    await putBack(aConnection(), message);

    expect(told).toEqual(['-NAK {"delay":0}']);
  });
});
