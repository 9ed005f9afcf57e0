import { createServer, type Server } from 'node:net';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { ReadServer, readSocketsFolder } from './read-server';
import { ReadSockets } from './read-sockets';

const SUBJECT = 'rpc.test.read';
const logger = pino({ level: 'silent' });

let dataDir: string;
const servers: ReadServer[] = [];
let silent: Server | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'reads-'));
  mkdirSync(readSocketsFolder(dataDir));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  silent?.close();
  silent = undefined;
  rmSync(dataDir, { recursive: true });
});

async function serve(answer: (name: string) => unknown): Promise<ReadServer> {
  const server = new ReadServer(logger);
  servers.push(server);
  server.offer(SUBJECT, z.object({ name: z.string() }), ({ name }) => Promise.resolve(answer(name)));
  await server.listen(dataDir);
  return server;
}

const ask = (body: unknown, timeoutMs = 5_000) =>
  new ReadSockets(dataDir, [SUBJECT]).ask(SUBJECT, body, timeoutMs);

describe('reads beside NATS', () => {
  it('are answered by any server that lives, also when two have the same process id', async () => {
    const first = await serve((name) => `first: ${name}`);
    await serve((name) => `second: ${name}`);
    await first.close();

    expect(await ask({ name: 'ada' })).toEqual({ ok: true, value: 'second: ada' });
  });

  it('are answered by another when one keeps silent', async () => {
    silent = createServer(() => undefined);
    // The first of the folder.
    silent.listen(path.join(readSocketsFolder(dataDir), '!.sock'));
    await once(silent, 'listening');
    await serve((name) => name);

    expect(await ask({ name: 'ada' })).toEqual({ ok: true, value: 'ada' });
  });

  it('are refused when nobody answers', async () => {
    await expect(ask({ name: 'ada' })).rejects.toMatchObject({ code: 'reads.away' });
    silent = createServer(() => undefined);
    silent.listen(path.join(readSocketsFolder(dataDir), 'silent.sock'));
    await once(silent, 'listening');
    await expect(ask({ name: 'ada' }, 50)).rejects.toMatchObject({ code: 'reads.away' });
  });

  it('tell what was wrong, also with an answer that has no JSON form', async () => {
    await serve(() => ({ count: 1n }));

    expect(await ask({ name: 1 })).toMatchObject({ ok: false, error: { code: 'message.shape' } });
    expect(await ask({ name: 'ada' })).toMatchObject({ ok: false, error: { kind: 'internal' } });
  });

  it('do not meet the sockets of the killed for ever: the next server removes them', async () => {
    const dead = path.join(readSocketsFolder(dataDir), 'dead.sock');
    writeFileSync(dead, '');

    await serve((name) => name);

    expect(existsSync(dead)).toBe(false);
  });
});
