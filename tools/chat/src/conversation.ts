import { ChatError } from './chat-error';
import { EventPrinter } from './event-printer';
import type { GatewayClient, Message } from './gateway-client';
import { LineReader, type Terminal } from './line-reader';
import { openCalls, type OpenCall } from './open-calls';
import { questionOf } from './question-of';
import { isFailure, isReset, type WireEvent } from './wire-event';

export interface ChatSession {
  readonly id: string;
  /** What earlier runs of it still wait for. */
  readonly open: readonly OpenCall[];
}

/** Talks line by line until the input ends; false when a turn failed. */
export async function converse(
  client: GatewayClient,
  session: ChatSession,
  terminal: Terminal,
): Promise<boolean> {
  const lines = new LineReader(terminal);
  const conversation = new Conversation(client, session.id, lines, terminal.output);
  await conversation.run(session.open);
  if (lines.isInteractive) terminal.output.write('\n');
  return conversation.isWell;
}

class Conversation {
  isWell = true;
  readonly #printer: EventPrinter;
  /** A line that was no answer to what was asked: it is said to the agent. */
  #unread: string | undefined;

  constructor(
    private readonly client: GatewayClient,
    private readonly session: string,
    private readonly lines: LineReader,
    output: Terminal['output'],
  ) {
    this.#printer = new EventPrinter((text) => output.write(text));
  }

  async run(open: readonly OpenCall[]): Promise<void> {
    await this.#answer(open);
    for (;;) {
      const line = this.#unread ?? (await this.lines.next('you> '));
      this.#unread = undefined;
      if (line === undefined) return;
      if (line.trim() !== '') await this.#answer(await this.#takeTurn({ parts: [{ text: line }] }));
    }
  }

  /** Puts open calls to the user. Those of one event are answered in one message, since they go on together. */
  async #answer(open: readonly OpenCall[]): Promise<void> {
    const [first] = open;
    if (!first) return;
    const { eventId } = first;
    const parts: object[] = [];
    for (const call of open.filter((one) => one.eventId === eventId)) {
      const response = await this.#ask(call);
      if (response) parts.push({ functionResponse: { id: call.id, name: call.name, response } });
      if (this.#unread !== undefined) break;
    }
    const asked = parts.length > 0 ? await this.#takeTurn({ parts, functionCallEventId: eventId }) : [];
    // He has begun to speak of something else, so nothing more is asked before that was heard.
    if (this.#unread !== undefined) return;
    await this.#answer([...asked, ...open.filter((one) => one.eventId !== eventId)]);
  }

  async #ask(call: OpenCall): Promise<Readonly<Record<string, unknown>> | undefined> {
    const question = questionOf(call);
    for (const line of question.lines) this.#printer.line(line);
    const line = await this.lines.next(question.prompt);
    const answer = line?.trim() ? question.read(line) : undefined;
    if (answer) return answer;
    this.#printer.line('(left open; it is asked again when you come back to this session)');
    if (line?.trim()) this.#unread = line;
    return undefined;
  }

  /** Sends one message, shows what comes of it, and returns the calls it left open. */
  async #takeTurn(message: Message): Promise<readonly OpenCall[]> {
    const turn = new AbortController();
    this.lines.interrupt = () => turn.abort();
    const events: WireEvent[] = [];
    this.#printer.beginTurn();
    try {
      const { signal } = turn;
      const onWaiting = (sentence: string): void => this.#printer.line(`(${sentence} Trying again)`);
      for await (const frame of this.client.run({ session: this.session, message, signal, onWaiting })) {
        this.#printer.print(frame);
        if (!isFailure(frame) && !isReset(frame)) events.push(frame);
      }
    } catch (error) {
      if (turn.signal.aborted)
        this.#printer.line('(not listening any more; the answer goes into the session)');
      else if (error instanceof ChatError) this.#printer.fail(error.message);
      else throw error;
    } finally {
      this.lines.interrupt = undefined;
    }
    this.#printer.endLine();
    this.isWell &&= !this.#printer.hasFailed;
    return openCalls(events);
  }
}
