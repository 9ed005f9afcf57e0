import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import path from 'node:path';

const program = path.join(__dirname, '..', 'healthcheck.mjs');
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function portOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port); // It listens on TCP.
}

function check(
  env: NodeJS.ProcessEnv,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env }, (_error, said) =>
      resolve({ code: child.exitCode ?? -1, said: said.trim() }),
    );
  });
}

describe("the image's health check", () => {
  it.each(['0.0.0.0', '127.0.0.1', undefined])(
    'asks /ready of a process that listens on %s',
    async (HOST) => {
      const HEALTH_PORT = await portOf((request, response) => response.end(`said ${request.url ?? ''}`));

      expect(await check({ HEALTH_PORT, HOST })).toEqual({ code: 0, said: 'said /ready' });
      expect(await check({ HEALTH_PORT, HOST }, '/health')).toEqual({ code: 0, said: 'said /health' });
    },
  );

  it('fails with what the process says it lacks', async () => {
    const lack = '{"status":"unavailable","checks":{"nats":"down"}}';
    const HEALTH_PORT = await portOf((_request, response) => response.writeHead(503).end(lack));

    expect(await check({ HEALTH_PORT })).toEqual({ code: 1, said: lack });
  });

  it('fails where nobody listens, and where no port is named', async () => {
    const HEALTH_PORT = await portOf((_request, response) => response.end());
    servers.pop()?.close();

    const nobody = await check({ HEALTH_PORT });
    expect(nobody.code).toBe(1);
    expect(nobody.said).toContain('ECONNREFUSED');
    expect(await check({ HEALTH_PORT: '0' })).toEqual({ code: 1, said: 'HEALTH_PORT names no port' });
  });

  it('fails when there is no answer', async () => {
    const HEALTH_PORT = await portOf(() => undefined);

    expect(await check({ HEALTH_PORT })).toEqual({ code: 1, said: 'no answer in 4000 ms' });
  });
});
