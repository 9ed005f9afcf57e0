import { PassThrough, Readable } from 'node:stream';
import { ChatError } from './chat-error';
import { converse } from './conversation';
import { GatewayClient, type Turn } from './gateway-client';
import type { WireFrame } from './wire-event';

class FakeGateway extends GatewayClient {
  readonly heard: string[] = [];

  constructor(private readonly answer: (turn: Turn) => AsyncGenerator<WireFrame>) {
    super('http://nowhere', 'app', 'user');
  }

  override run(turn: Turn): AsyncGenerator<WireFrame> {
    this.heard.push(turn.text);
    return this.answer(turn);
  }
}

async function talk(gateway: FakeGateway, lines: readonly string[]) {
  const output = new PassThrough();
  let interrupt: () => void = () => undefined;
  const terminal = {
    input: Readable.from(lines.map((line) => `${line}\n`)),
    output,
    onInterrupt: (given: () => void) => (interrupt = given),
  };
  const talking = converse(gateway, 's1', terminal);
  return { talking, text: () => String(output.read() ?? ''), interrupt: () => interrupt() };
}

describe('converse', () => {
  it('sends one message a line and ends with the input', async () => {
    const gateway = new FakeGateway(async function* ({ text }) {
      yield { author: 'echo', content: { parts: [{ text }] } };
    });

    const { talking, text } = await talk(gateway, ['one', '', 'two']);

    expect(await talking).toBe(true);
    expect(gateway.heard).toEqual(['one', 'two']);
    expect(text()).toBe('echo: one\necho: two\n');
  });

  it('goes on after a turn that failed, and tells of it at the end', async () => {
    const gateway = new FakeGateway(async function* ({ text }) {
      if (text === 'one') throw new ChatError('Nothing answers');
      yield { author: 'echo', content: { parts: [{ text }] } };
    });

    const { talking, text } = await talk(gateway, ['one', 'two']);

    expect(await talking).toBe(false);
    expect(text()).toBe('! Nothing answers\necho: two\n');
  });

  it('stops listening when it is interrupted in a turn', async () => {
    const gateway = new FakeGateway(async function* ({ signal }) {
      yield { author: 'slow', content: { parts: [{ text: 'wait' }] }, partial: true };
      conversation.interrupt();
      signal.throwIfAborted();
    });

    const conversation = await talk(gateway, ['one']);

    expect(await conversation.talking).toBe(true);
    expect(conversation.text()).toBe(
      'slow: wait\n(not listening any more; the answer goes into the session)\n',
    );
  });
});
