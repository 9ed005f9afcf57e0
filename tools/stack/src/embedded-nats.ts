import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { findNatsServer } from './find-nats-server';
import { onFreePort } from './free-port';
import { startGuardedProcess, type RunningProcess } from './guarded-process';
import { waitForPreviousServer } from './previous-server';
import type { NatsAccess } from './nats-access';
import type { LineSink } from './split-lines';
import { untilReady } from './until-ready';

export interface EmbeddedNatsOptions {
  /** JetStream stores in `<dataDir>/nats`; a second start on it goes on with its streams. */
  readonly dataDir: string;
  /** A free one when left out. A restart passes the port of the first start, so that clients find it again. */
  readonly port?: number | undefined;
  /** Who may connect, and do what; without it, everybody everything. */
  readonly access?: NatsAccess | undefined;
  readonly onLine?: LineSink;
  readonly signal?: AbortSignal;
  readonly readyTimeoutMs?: number;
}

export interface EmbeddedNats extends RunningProcess {
  /** Of the administrator, where not everybody may connect. */
  readonly url: string;
  readonly port: number;
}

/**
 * Processors it works on at once. It shares the machine with the services, and on all of them it wakes threads for each message that another
 * thread could as well have handled (ADR 30). What the environment says comes before it.
 */
const PROCESSORS = Math.max(1, availableParallelism() >> 2);

/** Starts a nats-server with JetStream on 127.0.0.1 and returns once it greets a client. */
export async function startEmbeddedNats(options: EmbeddedNatsOptions): Promise<EmbeddedNats> {
  const command = await findNatsServer();
  const directory = path.join(path.resolve(options.dataDir), 'nats');
  const pidFile = path.join(directory, 'nats-server.pid');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  await waitForPreviousServer({ pidFile, mark: directory, signal: options.signal });
  const name = `skein-${randomUUID()}`;
  const config = options.access ? ['-c', options.access.write(path.resolve(options.dataDir))] : [];
  const server = await onFreePort(options.port, async (port) => {
    options.signal?.throwIfAborted();
    const started = await startGuardedProcess({
      command,
      args: [
        ...['-a', '127.0.0.1', '-p', String(port), '-n', name, '-js', '-sd', directory, '-P', pidFile],
        ...config,
      ],
      options: { cwd: '/', env: { GOMAXPROCS: String(PROCESSORS), ...process.env } },
      stopSignal: 'SIGTERM',
      onLine: options.onLine ?? (() => undefined),
    });
    return untilReady(
      { ...started, port },
      {
        name: 'nats-server',
        ask: async () => ((await isGreetedBy(name, port)) ? true : undefined),
        deadlineMs: options.readyTimeoutMs ?? 30_000,
        signal: options.signal,
      },
    );
  });
  const url = `nats://127.0.0.1:${server.port}`;
  return { ...server, url: options.access?.urlOf(url) ?? url };
}

/** A NATS server speaks first; its name tells ours from another one on the same port. */
function isGreetedBy(name: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('data', (greeting) =>
      settle(greeting.includes(`"${name}"`) && greeting.includes('"jetstream":true')),
    );
  });
}
