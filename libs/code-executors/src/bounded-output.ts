import { type Readable } from 'node:stream';

/** What a stream gives, up to a limit; the rest is read and dropped, so that its writer does not stand still. */
export class BoundedOutput {
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #isCut = false;

  constructor(
    stream: Readable,
    private readonly limitBytes: number,
  ) {
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    // A stream destroyed under its reader fails; what was read until then is what there is.
    stream.on('error', () => undefined);
  }

  get text(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    return this.#isCut ? `${text}\n[cut at ${this.limitBytes} bytes]` : text;
  }

  #take(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.limitBytes - this.#sizeBytes);
    if (kept.length < chunk.length) this.#isCut = true;
    if (kept.length === 0) return;
    this.#sizeBytes += kept.length;
    this.#chunks.push(kept);
  }
}
