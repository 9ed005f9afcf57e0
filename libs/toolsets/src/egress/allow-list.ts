import { AdkError } from '@skein/contracts';
import { isInNetwork, type Network, networkOf } from './address-class';

/** What is open beside the public internet: hosts and origins as their author named them, and networks. */
export interface AllowList {
  /** Whether everything at this host is open, whatever address it has. */
  hasHost(url: URL): boolean;
  hasAddress(address: string): boolean;
}

type Rule = { readonly matches: (url: URL) => boolean } | { readonly network: Network };

const HOST = /^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?(:\d{1,5})?$/i;

/**
 * Reads entries such as `internal.example.com`, `*.example.com`, `db.local:8080`, `10.1.0.0/16`, `::1` and
 * `http://127.0.0.1:8080`. Throws `egress.allow` with every entry that is none of these.
 */
export function allowListOf(entries: readonly string[]): AllowList {
  const rules = entries.map((entry) => ruleOf(entry.trim()));
  const wrong = entries.filter((_entry, at) => rules[at] === undefined);
  if (wrong.length > 0) throw wrongEntries(wrong);
  const known = rules.filter((rule) => rule !== undefined);
  return {
    hasHost: (url) => known.some((rule) => 'matches' in rule && rule.matches(url)),
    hasAddress: (address) => known.some((rule) => 'network' in rule && isInNetwork(address, rule.network)),
  };
}

/** A URL's host as it is compared: without brackets and the dot that may end a name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}

function ruleOf(entry: string): Rule | undefined {
  if (/^https?:\/\//i.test(entry)) return originRule(entry);
  const network = networkOf(entry);
  if (network) return { network };
  // What only looks like a network is a mistake, and opens nothing: 10.0.0.0/33.
  if (!HOST.test(entry) || /^[\d.]+$/.test(entry)) return undefined;
  return hostRule(entry.toLowerCase());
}

function originRule(entry: string): Rule | undefined {
  if (!URL.canParse(entry)) return undefined;
  const { protocol, port, pathname, search, username } = new URL(entry);
  if (`${pathname}${search}${username}` !== '/') return undefined;
  const host = hostOf(new URL(entry));
  return {
    matches: (url) => url.protocol === protocol && url.port === port && hostOf(url) === host,
  };
}

function hostRule(entry: string): Rule {
  const [name = '', port] = entry.split(':');
  const isHost = name.startsWith('*.')
    ? (host: string) => host.endsWith(name.slice(1)) && host.length > name.length - 1
    : (host: string) => host === name;
  return { matches: (url) => isHost(hostOf(url)) && (port === undefined || portOf(url) === port) };
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function wrongEntries(entries: readonly string[]): AdkError {
  const list = entries.map((entry) => JSON.stringify(entry)).join(', ');
  return new AdkError(
    'invalid',
    'egress.allow',
    `Not a host, a network or the origin of a server: ${list}. Write internal.example.com, 10.1.0.0/16 or http://127.0.0.1:8080.`,
  );
}
