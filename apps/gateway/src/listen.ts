import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AdkError } from '@skein/contracts';
import { DEFAULT_PORT } from './config';

const TRIED_PORTS = 100;

/** Listens on the port that was asked for, or else on the first free one from 8000 on. Answers the URL. */
export async function listen(server: Server, host: string, port: number | undefined): Promise<string> {
  const last = port ?? DEFAULT_PORT + TRIED_PORTS - 1;
  for (let candidate = port ?? DEFAULT_PORT; candidate <= last; candidate++) {
    if (await isBound(server, host, candidate)) return urlOf(server);
  }
  const busy = port === undefined ? `${DEFAULT_PORT}-${last} are all` : `${port} is`;
  throw new AdkError('unavailable', 'gateway.port', `PORT ${busy} in use on ${host}; set PORT to a free one`);
}

/** False when the port is taken; any other trouble is thrown. */
async function isBound(server: Server, host: string, port: number): Promise<boolean> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo; // It listens on TCP, by the lines above.
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
