import { isIP } from 'node:net';
import { AdkError } from '@skein/contracts';
import type { RequestHandler } from 'express';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether an address or host name can only mean this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || name === '::ffff:127.0.0.1';
}

/**
 * Keeps other sites' pages away, and has them not guess what an answer is. A page of another origin may not change anything;
 * and while the gateway listens on loopback alone, a name that is not loopback's is refused: a hostile name that was made to
 * point here (DNS rebinding) would otherwise make the attacker's page same-origin with us. In a container, which listens
 * everywhere and is published on loopback, the names have to be given.
 */
export function originGuard(listenHost: string, allowedHosts?: readonly string[]): RequestHandler {
  const isAllowed = lastAnswer(hostRule(listenHost, allowedHosts));
  return (request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const { host = '', origin } = request.headers;
    if (!isAllowed(host)) {
      next(new AdkError('denied', 'request.host', 'Forbidden: host not allowed'));
    } else if (origin !== undefined && !SAFE_METHODS.has(request.method) && !isSameOrigin(origin, host)) {
      next(new AdkError('denied', 'request.origin', 'Forbidden: origin not allowed'));
    } else next();
  };
}

function hostRule(listenHost: string, allowedHosts?: readonly string[]): (hostname: string) => boolean {
  if (allowedHosts) {
    const allowed = new Set(allowedHosts.map((name) => hostnameOf(name)));
    return (hostname) => hostname !== '' && allowed.has(hostname);
  }
  return isLoopback(listenHost) ? isLoopback : () => true;
}

/** A client names the same host each time, and reading one as a URL costs more than the rest of the guard. */
function lastAnswer(isAllowed: (hostname: string) => boolean): (host: string) => boolean {
  let last: { readonly host: string; readonly isAllowed: boolean } | undefined;
  return (host) => {
    if (last?.host !== host) last = { host, isAllowed: isAllowed(hostnameOf(host)) };
    return last.isAllowed;
  };
}

function isSameOrigin(origin: string, host: string): boolean {
  // The scheme is left out: behind a proxy that ends TLS, the page's is https and ours is http.
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** The name alone of a Host header, in lower case; nothing when it cannot be one. */
export function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}
