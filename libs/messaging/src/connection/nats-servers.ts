/** Addresses and credentials as the client wants them: it does not read user info out of a URL, and says nothing. */
export interface NatsServers {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
}

/** Reads one or several nats:// URLs; `nats://user:password@host` and `nats://token@host` count for all of them. */
export function parseNatsServers(text: string): NatsServers {
  const urls = text
    .split(',')
    .map((entry) => entry.trim())
    .map((entry) => new URL(entry.includes('://') ? entry : `nats://${entry}`));
  const servers = urls.map(({ protocol, host }) => `${protocol}//${host}`);
  const { username, password } = urls.find((url) => url.username !== '') ?? { username: '', password: '' };
  if (username === '') return { servers };
  if (password === '') return { servers, token: decodeURIComponent(username) };
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
