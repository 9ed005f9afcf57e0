import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  /** Asked when Ctrl-C comes as a signal, as it does where lines are piped in. */
  onInterrupt(interrupt: () => void): void;
}

/** The user's lines, one at a time. Prompts are shown to people only: a pipe has nobody to read them. */
export class LineReader {
  readonly isInteractive: boolean;
  /** What Ctrl-C does while something runs; without it the input ends. */
  interrupt: (() => void) | undefined;
  readonly #lines: ReturnType<typeof createInterface>;
  readonly #iterator: AsyncIterator<string, undefined>;
  #isClosed = false;

  constructor(terminal: Terminal) {
    const { input, output } = terminal;
    this.isInteractive = input.isTTY === true;
    this.#lines = createInterface({
      input,
      terminal: this.isInteractive,
      ...(this.isInteractive && { output }),
    });
    this.#lines.once('close', () => (this.#isClosed = true));
    const interrupted = (): void => (this.interrupt ? this.interrupt() : this.#lines.close());
    this.#lines.on('SIGINT', interrupted);
    terminal.onInterrupt(interrupted);
    this.#iterator = this.#lines[Symbol.asyncIterator]();
  }

  /** The next line; nothing once the input has ended. */
  async next(prompt: string): Promise<string | undefined> {
    if (this.isInteractive && !this.#isClosed) {
      this.#lines.setPrompt(prompt);
      this.#lines.prompt();
    }
    const line = await this.#iterator.next();
    return line.value;
  }
}
