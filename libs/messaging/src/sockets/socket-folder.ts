import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import path from 'node:path';

/** What every system takes, with the zero behind it; Node cuts off what is longer, and opens another path. */
const MAX_PATH_BYTES = 103;

/**
 * Has a server listen on a socket of its own in this folder; the path of the socket. A folder that is made for it only its owner may
 * open. Sockets that killed processes left there are removed. Rejects where a folder holds no socket, or the path is too long for
 * one; what the server fails of later is told.
 */
export async function listenIn(
  folder: string,
  server: Server,
  onError: (error: unknown) => void,
): Promise<string> {
  // Not named by the process id: in a container of its own every process has the same.
  const socket = path.join(folder, `${randomBytes(4).toString('hex')}.sock`);
  const bytes = Buffer.byteLength(socket);
  if (bytes > MAX_PATH_BYTES)
    throw new Error(`the path of a socket has ${MAX_PATH_BYTES} bytes at most, not ${bytes}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeForsaken(folder);
  server.listen(socket);
  await once(server, 'listening');
  server.on('error', onError);
  return socket;
}

/** Takes no more connections there; those there are go on. */
export async function leaveSocket(socket: string, server: Server): Promise<void> {
  server.close();
  await rm(socket, { force: true });
}

/** Sockets of processes that were killed: they refuse the connection. */
async function removeForsaken(folder: string): Promise<void> {
  const sockets = (await readdir(folder)).filter((name) => name.endsWith('.sock'));
  await Promise.all(
    sockets.map(async (name) => {
      const socket = path.join(folder, name);
      if (await isRefused(socket)) await rm(socket, { force: true });
    }),
  );
}

function isRefused(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.on('connect', () => {
      connection.destroy();
      resolve(false);
    });
    connection.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
