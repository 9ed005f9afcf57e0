import ipaddr from 'ipaddr.js';

/** An IP address, or a network of them as `10.1.0.0/16` names it. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

/** Azure's virtual machines have their host here, with credentials behind it, though the address looks public. */
const AZURE_HOST = '168.63.129.16';
const GLOBAL_IPV6: Network = [ipaddr.parse('2000::'), 3];
const MAPPED: Network = [ipaddr.parse('::ffff:0:0'), 96];
const NAT64: Network = [ipaddr.parse('64:ff9b::'), 96];

/**
 * Whether an address is one of the public internet. An IPv4 address inside an IPv6 one (mapped, NAT64) counts as
 * itself; the forms that nothing public uses any more (compatible, 6to4, Teredo) count as private.
 */
export function isPublicAddress(text: string): boolean {
  const address = plainAddress(text);
  if (address?.range() !== 'unicast') return false;
  return isIpv4(address) ? address.toString() !== AZURE_HOST : address.match(...ipv6(GLOBAL_IPV6));
}

export function isInNetwork(text: string, [network, prefixLength]: Network): boolean {
  const address = plainAddress(text);
  return address?.kind() === network.kind() && address.match(network, prefixLength);
}

/** Nothing where the text is neither an address nor a network. */
export function networkOf(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = isAddress(text) ? plainAddress(text) : undefined;
  return address && [address, isIpv4(address) ? 32 : 128];
}

/** Whether a host as a URL has it, without brackets, is an address. */
export function isAddress(host: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host);
}

function plainAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // The library takes a compatible address, `::8.8.8.8`, for a mapped one.
  if (!isAddress(text) || /^::\d+\./.test(text)) return undefined;
  const address = ipaddr.parse(text);
  if (isIpv4(address)) return address;
  const holdsIpv4 = [MAPPED, NAT64].some((network) => address.match(...ipv6(network)));
  return holdsIpv4 ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function isIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv4 {
  return address.kind() === 'ipv4';
}

function ipv6([address, prefixLength]: Network): [ipaddr.IPv6, number] {
  // The networks of this file are all IPv6.
  return [address as ipaddr.IPv6, prefixLength];
}
