import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { ChatError } from './chat-error';
import { EventPrinter } from './event-printer';
import type { GatewayClient } from './gateway-client';

export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  /** Asked when Ctrl-C comes as a signal, as it does where lines are piped in. */
  onInterrupt(interrupt: () => void): void;
}

/** Talks line by line until the input ends; false when a turn failed. */
export async function converse(client: GatewayClient, session: string, terminal: Terminal): Promise<boolean> {
  const { input, output } = terminal;
  const isInteractive = input.isTTY === true;
  const lines = createInterface({
    input,
    terminal: isInteractive,
    prompt: 'you> ',
    ...(isInteractive && { output }),
  });
  let turn: AbortController | undefined;
  const interrupt = (): void => (turn ? turn.abort() : lines.close());
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  lines.on('SIGINT', interrupt);
  terminal.onInterrupt(interrupt);

  let isWell = true;
  if (isInteractive) lines.prompt();
  for await (const line of lines) {
    if (line.trim() !== '') {
      turn = new AbortController();
      isWell = (await takeTurn(client, { session, text: line, signal: turn.signal }, output)) && isWell;
      turn = undefined;
    }
    if (isInteractive && !closed.signal.aborted) lines.prompt();
  }
  if (isInteractive) output.write('\n');
  return isWell;
}

async function takeTurn(
  client: GatewayClient,
  turn: Parameters<GatewayClient['run']>[0],
  output: Writable,
): Promise<boolean> {
  const printer = new EventPrinter((text) => output.write(text));
  try {
    for await (const frame of client.run(turn)) printer.print(frame);
  } catch (error) {
    if (turn.signal.aborted) printer.line('(not listening any more; the answer goes into the session)');
    else if (error instanceof ChatError) printer.fail(error.message);
    else throw error;
  }
  printer.endLine();
  return !printer.hasFailed;
}
