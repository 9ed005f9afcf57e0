import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { errorCode, errorMessage } from './read-error';

/**
 * Systems take the ports of outgoing connections from 32768 up (Linux) or from 49152 up (others): a port below
 * that is taken by nobody who did not ask for it, also while whoever was promised it starts.
 */
const LOWEST_PORT = 10_000;
const LOWEST_OUTGOING_PORT = 32_768;

/** A port nobody listens on at this moment. Another who asks may take it a moment later: whoever uses it must check. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 1; attempt <= 100; attempt++) {
    const port = await listenBriefly(randomInt(LOWEST_PORT, LOWEST_OUTGOING_PORT), host);
    if (port !== undefined) return port;
  }
  throw new Error(`No free port from ${LOWEST_PORT} to ${LOWEST_OUTGOING_PORT - 1} on ${host}`);
}

/**
 * Starts a server on the given port, or else on a free one, and once more when another process was quicker to
 * take it. A given port is tried once: its failure is the caller's to answer.
 */
export async function onFreePort<T>(
  given: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (given !== undefined) return start(given);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return await start(port);
    } catch (error) {
      const wasTaken = (await listenBriefly(port, '127.0.0.1')) === undefined;
      if (!wasTaken || attempt === 3) throw error;
    }
  }
}

/**
 * The port for the gateway. A port the user asked for must be free, else it is an error; without a wish it is
 * 8000 or the next free one.
 */
export async function choosePort(wanted: number | undefined, host: string): Promise<number> {
  if (wanted === 0) return freePort(host);
  if (wanted !== undefined) {
    if ((await listenBriefly(wanted, host)) === undefined) {
      throw new Error(`PORT ${wanted} is in use on ${host}: stop what listens there, or choose another PORT`);
    }
    return wanted;
  }
  for (let port = 8000; port < 8100; port++) {
    if ((await listenBriefly(port, host)) !== undefined) return port;
  }
  throw new Error(`No free port between 8000 and 8099 on ${host}: choose one with PORT`);
}

/** Why nothing can listen on the host, as ENOTFOUND; undefined when something can. */
export async function whyNotListening(host: string): Promise<string | undefined> {
  try {
    await freePort(host);
    return undefined;
  } catch (error) {
    return errorCode(error) ?? errorMessage(error);
  }
}

/** Listens and lets go again; undefined when the port is taken. */
async function listenBriefly(port: number, host: string): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    if (isPortTaken(error)) return undefined;
    throw error;
  }
  const { port: bound } = server.address() as AddressInfo; // A TCP server that listens has this form.
  server.close();
  await once(server, 'close');
  return bound;
}

function isPortTaken(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? '');
}
