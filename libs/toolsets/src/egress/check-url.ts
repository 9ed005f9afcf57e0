import { AdkError } from '@skein/contracts';
import { isAddress, isPublicAddress } from './address-class';
import { type AllowList, hostOf } from './allow-list';

/** How a server is reached: `open` whatever its address is, `guarded` only at addresses that pass. */
export type Way = 'open' | 'guarded';

/** Reads a URL that a request may go to. Throws `egress.url` for one that is not of http or carries a password. */
export function requestUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw refusedUrl(`${JSON.stringify(text.slice(0, 200))} is not a URL.`);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refusedUrl(`Only http and https are fetched, not ${url.protocol}`);
  }
  if (url.username || url.password) throw refusedUrl('A URL must not carry a name or a password.');
  return url;
}

/** Says which way a URL goes. Throws `egress.blocked` where its host alone tells that it is private. */
export function wayTo(url: URL, allow: AllowList): Way {
  if (allow.hasHost(url)) return 'open';
  const host = hostOf(url);
  if (host === '' || host === 'localhost' || host.endsWith('.localhost')) throw blocked(host);
  // No name is looked up for an address, so the connection would not ask again.
  if (isAddress(host)) assertOpen(host, [host], allow);
  return 'guarded';
}

/** Throws `egress.blocked` unless every address a host has may be reached: one private among them is an attack. */
export function assertOpen(host: string, addresses: readonly string[], allow: AllowList): void {
  const isOpen = (address: string) => isPublicAddress(address) || allow.hasAddress(address);
  if (addresses.length === 0 || !addresses.every(isOpen)) throw blocked(host);
}

/** The address is not told: a model that reads this would learn what the network looks like inside. */
function blocked(host: string): AdkError {
  return new AdkError(
    'denied',
    'egress.blocked',
    `${host.slice(0, 200)} is not on the public internet, and nothing allows it: TOOL_EGRESS_ALLOW or the tool's own \`allow\` would.`,
  );
}

function refusedUrl(message: string): AdkError {
  return new AdkError('invalid', 'egress.url', message);
}
