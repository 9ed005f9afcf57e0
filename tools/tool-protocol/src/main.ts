import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROTOCOL_FOLDER, protocolFiles } from './schemas';

/** `npm run tool-protocol`: writes the published schemas anew. */
const root = path.join(__dirname, '../../..');
mkdirSync(path.join(root, PROTOCOL_FOLDER), { recursive: true });
for (const [file, text] of protocolFiles()) {
  writeFileSync(path.join(root, file), text);
  console.log(`Wrote ${file}`);
}
