import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { StartPeer } from './peer';
import { assertAnswer } from './script';

/**
 * A session is a virtual object, the tool a service in another process, the server a third: "the default configuration"
 * (docs.restate.dev/references/server-config) of one node, whose log is on the disk before it answers
 * (`rocksdb-disable-wal-fsync = false`). Its partitions are set for this machine; besides, only ports, folder and logs
 * are ours. It is called over HTTP, which is the way into it, on connections that stay open.
 */
export const startRestate: StartPeer = async ({ dataDir }) => {
  const [ingress, admin, node, agents, tools] = await Promise.all(Array.from({ length: 5 }, freePort));
  mkdirSync(dataDir, { recursive: true });
  const started: ChildProcess[] = [
    start(serverBinary(), [], {
      RESTATE_BASE_DIR: dataDir,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_BIND_PORT: String(node),
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      // "The logical shards used to process messages. Default is 24": as many as cores did half as much again at 64 in
      // flight on two of them. Keeping no journal of what is done (`default-journal-retention`) changed nothing.
      RESTATE_DEFAULT_NUM_PARTITIONS: String(availableParallelism()),
      RESTATE_LOG_FILTER: 'warn',
      RESTATE_DISABLE_TELEMETRY: 'true',
    }),
    startService('agent-service.ts', agents),
    startService('tool-service.ts', tools),
  ];
  await untilAnswers(`http://127.0.0.1:${admin}/health`);
  for (const port of [agents, tools]) await register(admin, port);
  await untilAnswers(`http://127.0.0.1:${ingress}/restate/health`);

  const agent = new Agent({ keepAlive: true });
  return {
    async turn(sessionId, text) {
      const url = `http://127.0.0.1:${ingress}/session/${encodeURIComponent(sessionId)}/turn`;
      assertAnswer(JSON.parse(await post(url, JSON.stringify(text), agent)) as string);
    },
    async stop() {
      agent.destroy();
      await Promise.all(started.map(end));
    },
  };

  function startService(file: string, port: number | undefined): ChildProcess {
    const program = path.join(import.meta.dirname, 'restate', file);
    const { NODE_OPTIONS } = process.env;
    const args = [...process.execArgv, jiti, program, String(port)];
    return start(process.execPath, args, { RESTATE_LOGGING: 'ERROR', NODE_OPTIONS });
  }

  /** With these variables alone: what else the bench runs under is not theirs. */
  function start(command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    process.once('exit', () => child.kill('SIGKILL')); // Whatever ended us, nothing of ours stays behind.
    const log = createWriteStream(
      path.join(dataDir, `${path.basename(args.find((arg) => arg.endsWith('.ts')) ?? command)}.log`),
    );
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    return child;
  }
};

const packages = createRequire(import.meta.url);
const jiti = path.join(path.dirname(packages.resolve('jiti/package.json')), 'lib', 'jiti-cli.mjs');

/** The program itself: its npm wrapper would be one more process between us and it. */
function serverBinary(): string {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const found = packages.resolve(`${name}/package.json`);
  return path.join(path.dirname(found), 'bin', 'restate-server');
}

async function register(admin: number | undefined, port: number | undefined): Promise<void> {
  const body = JSON.stringify({ uri: `http://127.0.0.1:${port}` });
  await eventually(() => post(`http://127.0.0.1:${admin}/deployments`, body));
}

const untilAnswers = (url: string): Promise<unknown> =>
  eventually(async () => {
    const { ok, status } = await fetch(url);
    if (!ok) throw new Error(`HTTP ${status} from ${url}`);
  });

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + 60_000; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function post(url: string, body: string, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', ...(agent && { agent }), headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) < 300) resolve(text);
        else reject(new Error(`HTTP ${response.statusCode} from ${url}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number }; // A TCP server's address is no string.
  server.close();
  await once(server, 'close');
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
