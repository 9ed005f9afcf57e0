import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AppEntries } from '@skein/stack';

/** What every fake app does before its own lines: it reports ready and ends with its parent. */
const prelude = `
const name = process.env.SKEIN_PROCESS_NAME;
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });
setInterval(() => undefined, 1000);
const ready = (more) => process.send({ type: 'ready', healthUrl: 'http://127.0.0.1:1', ...more });
`;

const gateway = `${prelude}
require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(request.url === '/list-apps' ? '["quickstart"]' : JSON.stringify(process.env));
}).listen(process.env.PORT, process.env.HOST, () => ready({ url: 'http://127.0.0.1:' + process.env.PORT }));
`;

export type FakeSources = Partial<Record<keyof AppEntries, string>>;

export interface FakeApps {
  readonly folder: string;
  readonly entries: AppEntries;
}

/** Programs that speak the launcher's protocol and do nothing else; single ones may be given. */
export function fakeApps(sources: FakeSources = {}): FakeApps {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'skein-stack-test-'));
  chmodSync(folder, 0o755); // Closed, as mkdtemp makes it, it would send root's PostgreSQL to the shelter.
  const write = (app: keyof AppEntries, fallback: string): string => {
    const file = path.join(folder, `${app}.cjs`);
    writeFileSync(file, sources[app] === undefined ? fallback : `${prelude}\n${sources[app]}`);
    return file;
  };
  return {
    folder,
    entries: {
      migrate: write('migrate', `console.log('migrated', process.argv[2]);`),
      'session-svc': write('session-svc', `${prelude} ready();`),
      runner: write('runner', `${prelude} ready();`),
      'tool-worker': write('tool-worker', `${prelude} ready();`),
      gateway: write('gateway', gateway),
    },
  };
}
