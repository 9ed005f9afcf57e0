import dns from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { type Dispatcher } from 'undici';
import { type AllowList } from './allow-list';
import { assertOpen, type Way } from './check-url';

/** The addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** What connections are made with; undici is loaded at the first, since most processes make none. */
export type Connections = (way: Way) => Promise<Dispatcher>;

export const systemResolve: Resolve = async (host) =>
  (await dns.lookup(host, { all: true })).map(({ address }) => address);

/**
 * Connections whose look-up is the check: the addresses that passed are those the socket is given, so a name that has
 * another address a moment later is not asked again (DNS rebinding). No proxy of the environment is used.
 */
export function connectionsWith(resolve: Resolve, allow: () => AllowList): Connections {
  const made = new Map<Way, Promise<Dispatcher>>();
  return (way) => {
    const known = made.get(way) ?? newAgent(lookupWith(resolve, way === 'open' ? undefined : allow));
    made.set(way, known);
    return known;
  };
}

async function newAgent(lookup: LookupFunction): Promise<Dispatcher> {
  const { Agent } = await import('undici');
  // Times are kept by whoever asks: a stream may be silent for longer than any bound of this file.
  return new Agent({ connect: { lookup, timeout: 10_000 }, headersTimeout: 0, bodyTimeout: 0 });
}

function lookupWith(resolve: Resolve, allow: (() => AllowList) | undefined): LookupFunction {
  return (host, { all }, callback) => {
    const answer = resolve(host).then((addresses) => {
      if (allow) assertOpen(host, addresses, allow());
      return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    });
    answer.then(
      (found) => {
        if (all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (thrown: unknown) => callback(thrown instanceof Error ? thrown : new Error(String(thrown)), []),
    );
  };
}
