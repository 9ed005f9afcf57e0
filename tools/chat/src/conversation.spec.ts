import { PassThrough, Readable } from 'node:stream';
import { ChatError } from './chat-error';
import { converse } from './conversation';
import { GatewayClient, type Message, type Turn } from './gateway-client';
import type { OpenCall } from './open-calls';
import type { WireFrame } from './wire-event';

/** What a turn says in words. */
function said({ parts }: Message): string {
  return parts.map((part) => ('text' in part ? String(part.text) : '')).join('');
}

class FakeGateway extends GatewayClient {
  readonly messages: Message[] = [];

  constructor(private readonly answer: (turn: Turn) => AsyncGenerator<WireFrame>) {
    super('http://nowhere', 'app', 'user');
  }

  override run(turn: Turn): AsyncGenerator<WireFrame> {
    this.messages.push(turn.message);
    return this.answer(turn);
  }

  get heard(): string[] {
    return this.messages.map(said);
  }
}

async function talk(gateway: FakeGateway, lines: readonly string[], open: readonly OpenCall[] = []) {
  const output = new PassThrough();
  let interrupt: () => void = () => undefined;
  const terminal = {
    input: Readable.from(lines.map((line) => `${line}\n`)),
    output,
    onInterrupt: (given: () => void) => (interrupt = given),
  };
  const talking = converse(gateway, { id: 's1', open }, terminal);
  return { talking, text: () => String(output.read() ?? ''), interrupt: () => interrupt() };
}

describe('converse', () => {
  it('sends one message a line and ends with the input', async () => {
    const gateway = new FakeGateway(async function* ({ message }) {
      yield { author: 'echo', content: { parts: [{ text: said(message) }] } };
    });

    const { talking, text } = await talk(gateway, ['one', '', 'two']);

    expect(await talking).toBe(true);
    expect(gateway.heard).toEqual(['one', 'two']);
    expect(text()).toBe('echo: one\necho: two\n');
  });

  it('goes on after a turn that failed, and tells of it at the end', async () => {
    const gateway = new FakeGateway(async function* ({ message }) {
      if (said(message) === 'one') throw new ChatError('Nothing answers');
      yield { author: 'echo', content: { parts: [{ text: said(message) }] } };
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

  it('says that it waits for a gateway that is away, and goes on with the answer', async () => {
    const gateway = new FakeGateway(async function* ({ onWaiting }) {
      yield { id: 'e1', author: 'echo', content: { parts: [{ text: 'wa' }] }, partial: true };
      onWaiting?.('Nothing answers.');
      yield { reset: 'e1' };
      yield { id: 'e1', author: 'echo', content: { parts: [{ text: 'wait' }] } };
    });

    const { talking, text } = await talk(gateway, ['one']);

    expect(await talking).toBe(true);
    expect(text()).toBe('echo: wa\n(Nothing answers. Trying again)\necho: it\n');
  });

  describe('with calls that wait for the user', () => {
    const question = (id: string, eventId = 'e1'): WireFrame => ({
      id: eventId,
      author: 'bank',
      content: {
        parts: [
          {
            functionCall: {
              id,
              name: 'adk_request_confirmation',
              args: { originalFunctionCall: { name: 'pay', args: {} }, toolConfirmation: { hint: 'Sure?' } },
            },
          },
        ],
      },
      longRunningToolIds: [id],
    });
    const answer = (id: string, confirmed: boolean) => ({
      functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed } },
    });
    /** Asks when it is told to pay, and echoes everything else. */
    const bank = () =>
      new FakeGateway(async function* ({ message }) {
        if (said(message) === 'pay') yield question('q1');
        else yield { author: 'bank', content: { parts: [{ text: said(message) || 'thanks' }] } };
      });

    it('asks, and sends the answer as the response to the call of its event', async () => {
      const gateway = bank();

      const { talking, text } = await talk(gateway, ['pay', 'y', 'bye']);

      expect(await talking).toBe(true);
      expect(gateway.messages).toEqual([
        { parts: [{ text: 'pay' }] },
        { parts: [answer('q1', true)], functionCallEventId: 'e1' },
        { parts: [{ text: 'bye' }] },
      ]);
      expect(text()).toBe('? pay({}) wants to run\n  Sure?\nbank: thanks\nbank: bye\n');
    });

    it('leaves a call open at an empty line, and goes on', async () => {
      const gateway = bank();

      const { talking, text } = await talk(gateway, ['pay', '', 'bye']);

      await talking;
      expect(gateway.heard).toEqual(['pay', 'bye']);
      expect(text()).toContain('(left open; it is asked again when you come back to this session)\n');
    });

    it('says to the agent what is no answer', async () => {
      const gateway = bank();

      const { talking } = await talk(gateway, ['pay', 'how much?']);

      await talking;
      expect(gateway.heard).toEqual(['pay', 'how much?']);
    });

    it('asks what a session it comes back to still waits for, and one message answers the calls of one event', async () => {
      const gateway = bank();
      const args = { originalFunctionCall: { name: 'pay', args: {} } };
      const open = ['q1', 'q2'].map((id) => ({
        eventId: 'e7',
        author: 'bank',
        id,
        name: 'adk_request_confirmation',
        args,
      }));

      const { talking } = await talk(gateway, ['y', 'n'], open);

      await talking;
      expect(gateway.messages).toEqual([
        { parts: [answer('q1', true), answer('q2', false)], functionCallEventId: 'e7' },
      ]);
    });

    it('ends with the input, though a call is still open', async () => {
      const { talking } = await talk(bank(), ['pay']);

      expect(await talking).toBe(true);
    });
  });
});
