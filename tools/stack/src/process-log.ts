import type { Writable } from 'node:stream';
import type { LineSink } from './split-lines';

/** Where the log goes; colours only where somebody sees them. */
export interface LogOutput extends Pick<Writable, 'write' | 'writableLength'> {
  readonly isTTY?: boolean;
}

const colours = [36, 33, 32, 35, 34, 96, 93, 92, 95, 94];
/** Beyond this a reader that does not read costs lines, instead of our memory or the children's progress. */
const maxUnwrittenBytes = 8 * 1024 * 1024;

/** The one log of the stack: each line of a process behind its name, in a column of fixed width. */
export class ProcessLog {
  readonly #width: number;
  readonly #colourOf = new Map<string, number>();
  #dropped = 0;

  constructor(
    private readonly output: LogOutput,
    names: readonly string[],
  ) {
    this.#width = Math.max(...names.map((name) => name.length));
  }

  sinkFor(name: string): LineSink {
    const prefix = this.#prefix(name);
    return (line) => this.#write(`${prefix} ${printable(line)}\n`);
  }

  /** Text for the user, without a prefix. */
  print(text: string): void {
    this.#write(`${text}\n`);
  }

  #write(text: string): void {
    if (this.output.writableLength > maxUnwrittenBytes) {
      this.#dropped++;
      return;
    }
    const lost = this.#dropped > 0 ? `(${this.#dropped} log lines dropped: nobody read them)\n` : '';
    this.#dropped = 0;
    this.output.write(lost + text);
  }

  #prefix(name: string): string {
    const column = name.padEnd(this.#width);
    if (this.output.isTTY !== true) return `${column} |`;
    const colour = this.#colourOf.get(name) ?? colours[this.#colourOf.size % colours.length] ?? 0;
    this.#colourOf.set(name, colour);
    return `\u001b[${colour}m${column} |\u001b[0m`;
  }
}

/** What a tool prints must not move the cursor or retitle the terminal; tabs and colours may pass. */
function printable(line: string): string {
  return line.replace(/\p{Cc}(\[[\d;]*m)?/gu, (found, colour: string | undefined) => {
    const isHarmless = found === '\t' || (colour !== undefined && found.startsWith('\u001b'));
    return isHarmless ? found : `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}${colour ?? ''}`;
  });
}
