import { headers, type Msg } from '@nats-io/transport-node';
import { WorkMessage } from './work-message';

function aMessage(reply = '$JS.ACK.TOOLS.tools_default.3.17.21.1700000000000000000.0') {
  const told: string[] = [];
  const raw = { reply, subject: 'tool.default.normal', respond: (text: string) => told.push(text) > 0 };
  return { message: new WorkMessage(raw as unknown as Msg), told }; // As much of a Msg as is used.
}

describe('a message of a work queue', () => {
  it.each([
    '$JS.ACK.TOOLS.tools_default.3.17.21.1700000000000000000.0',
    '$JS.ACK.hub.Hash42.TOOLS.tools_default.3.17.21.1700000000000000000.0.random',
    '$JS.ACK._.Hash42.TOOLS.tools_default.3.17.21.1700000000000000000.0',
  ])('tells where it stands, in %s', (reply) => {
    expect(aMessage(reply).message.info).toEqual({
      deliveryCount: 3,
      startedBefore: 2,
      streamSequence: 17,
      storedAtMs: 1_700_000_000_000,
    });
  });

  it('counts the starts of what it is a copy of among those before it', () => {
    const raw = { reply: '$JS.ACK.TOOLS.tools_default.2.17.21.1700000000000000000.0', headers: headers() };
    raw.headers.set('Skein-Started', '3');

    expect(new WorkMessage(raw as unknown as Msg).info).toMatchObject({ deliveryCount: 2, startedBefore: 4 });
  });

  it('is settled once: what comes later is not told', () => {
    const { message, told } = aMessage();

    message.working();
    message.nak(1_500);
    message.ack();
    message.term('late');
    message.working();

    expect(told).toEqual(['+WPI', '-NAK {"delay":1500000000}']);
  });

  it('keeps a reason on one line', () => {
    const { message, told } = aMessage();

    message.term('one\r\ntwo');

    expect(told).toEqual(['+TERM one two']);
  });
});
