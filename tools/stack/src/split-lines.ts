import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

export type LineSink = (line: string) => void;

/** A line longer than this is cut: one tool printing without a newline must not fill our memory. */
const maxLineLength = 64 * 1024;

/** Hands every line of the stream to the sink, the unfinished last one when the stream ends. */
export function splitLines(stream: Readable, sink: LineSink): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const take = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) sink(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (rest.length < maxLineLength) return;
    sink(rest);
    rest = '';
  };
  stream.on('data', (chunk: Buffer) => take(decoder.write(chunk)));
  stream.on('end', () => {
    take(decoder.end());
    if (rest !== '') sink(rest);
  });
}
