import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { splitLines } from './split-lines';

async function linesOf(chunks: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  splitLines(stream, (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await once(stream, 'end');
  return lines;
}

describe('splitLines', () => {
  it('joins what chunks cut apart, within a letter too', async () => {
    const [first, second] = [Buffer.from('zwö').subarray(0, 3), Buffer.from('zwö').subarray(3)];

    expect(await linesOf(['eins\r\n', first, second, 'lf\n'])).toEqual(['eins', 'zwölf']);
  });

  it('gives the last line without a newline when the stream ends', async () => {
    expect(await linesOf(['a\n\nb'])).toEqual(['a', '', 'b']);
  });

  it('cuts a line that does not end', async () => {
    const lines = await linesOf(['x'.repeat(70_000), 'y\n']);

    expect(lines).toEqual(['x'.repeat(70_000), 'y']);
  });
});
