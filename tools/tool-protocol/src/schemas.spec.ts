import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROTOCOL_FOLDER, protocolFiles } from './schemas';

const root = path.join(__dirname, '../../..');

describe('the published schemas of the tool protocol', () => {
  const files = protocolFiles();

  it('are those of the messages, and no others (`npm run tool-protocol` writes them)', () => {
    const published = readdirSync(path.join(root, PROTOCOL_FOLDER)).map(
      (name) => `${PROTOCOL_FOLDER}/${name}`,
    );

    expect(published.sort()).toEqual([...files.keys()].sort());
    for (const [file, text] of files) expect(readFileSync(path.join(root, file), 'utf8')).toBe(text);
  });

  it('are named in the page of the protocol', () => {
    const page = readFileSync(path.join(root, 'docs/reference/tool-protocol.md'), 'utf8');

    for (const file of files.keys()) expect(page).toContain(`tool-protocol/${path.basename(file)}`);
  });
});
