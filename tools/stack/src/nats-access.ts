import { createHmac } from 'node:crypto';
import { writeFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { listOf } from '@skein/platform';
import { NATS_ADMIN, natsServerConfig, type WorkerUser } from '@skein/contracts';

const FILE = 'nats.conf';

/** Who may connect to an embedded nats-server: a user for each service, whose passwords are made of one secret. */
export class NatsAccess {
  constructor(
    private readonly secret: string,
    private readonly workers: readonly WorkerUser[],
  ) {}

  /** The server's address with the name and password of a user; the administrator's without one. */
  urlOf(address: string, user = NATS_ADMIN): string {
    const url = new URL(address);
    url.username = user;
    url.password = this.#passwordOf(user);
    return url.href.replace(/\/$/, '');
  }

  /** Writes the server's configuration, closed to others, and answers its path. */
  write(dataDir: string): string {
    const file = path.join(dataDir, FILE);
    const config = natsServerConfig({ workers: this.workers, passwordOf: (user) => this.#passwordOf(user) });
    // Of another mode, it would keep that.
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(config, null, 2), { mode: 0o600 });
    return file;
  }

  #passwordOf(user: string): string {
    return createHmac('sha256', this.secret).update(`nats.${user}`).digest('hex');
  }
}

/** That of a stack whose workers all serve the pools that its environment names. */
export function stackAccess(secret: string, { TOOL_POOLS: pools }: NodeJS.ProcessEnv): NatsAccess {
  return new NatsAccess(secret, [
    { user: 'tool-worker', pools: listOf('default').parse(pools === '' ? undefined : pools) },
  ]);
}
