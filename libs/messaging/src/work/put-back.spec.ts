import { type Msg } from '@nats-io/transport-node';
import { silentLogger } from '@skein/platform';
import { putBack } from './put-back';
import { WorkMessage } from './work-message';

/** A message, and what the server is told about it. */
function aMessage(): { message: WorkMessage; told: string[] } {
  const told: string[] = [];
  const raw = {
    subject: 'tool.default.normal',
    reply: '$JS.ACK.TOOLS.tools_default.1.7.1.1763640000000000000.0',
    respond: (what: string) => told.push(what) > 0,
  };
  return { message: new WorkMessage(raw as unknown as Msg), told }; // As much of a Msg as is used.
}

describe('putBack', () => {
  it('row 41: settles an unstarted message once somebody saw to it, and not before', async () => {
    const { message, told } = aMessage();
    let done: () => void = () => undefined;

    const back = putBack(message, () => new Promise<void>((resolve) => (done = resolve)), silentLogger);
    expect(told).toEqual([]);
    done();
    await back;

    expect(told).toEqual(['+ACK']);
  });

  it('hands it back with a nak where that failed: never an ack before it is somebody else’s', async () => {
    const { message, told } = aMessage();

    await putBack(message, () => Promise.reject(new Error('nobody answers')), silentLogger);

    expect(told).toEqual(['-NAK {"delay":0}']);
  });

  it('hands back with a nak what may be delivered as often as it likes', async () => {
    const { message, told } = aMessage();

    await putBack(message, undefined, silentLogger);

    expect(told).toEqual(['-NAK {"delay":0}']);
  });
});
