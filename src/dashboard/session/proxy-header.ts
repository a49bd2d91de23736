/** The header in which a proxy names who has signed in there. It is believed where the connection comes from such a proxy, and there alone. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { accountNameSchema } from '../../people/accounts.js';

/** As `@fastify/proxy-addr` knows them. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

export interface ProxyHeader {
  /** @returns the name as an account has it; undefined where the request has none, or none that can be believed */
  nameIn(request: FastifyRequest): string | undefined;
}

export interface ProxyHeaderOptions {
  /** In lower case. */
  readonly name: string;
  /** As in TRUST_PROXY. */
  readonly trustedProxies: readonly string[];
  /** Told once, of a header from elsewhere. */
  readonly onIgnored: () => void;
}

export function createProxyHeader({ name, trustedProxies, onIgnored }: ProxyHeaderOptions): ProxyHeader {
  const proxies = new BlockList();
  for (const network of trustedProxies.flatMap((each) => NETWORKS[each] ?? [each])) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  let told = false;

  function isProxy(remoteAddress = ''): boolean {
    const [address = ''] = remoteAddress.split('%');
    return isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  return {
    nameIn({ raw: { rawHeaders, socket } }) {
      const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
      const [value, ...more] = values;
      if (value === undefined) return undefined;
      // Not that of the client, which headers tell as well.
      if (!isProxy(socket.remoteAddress)) {
        if (!told) onIgnored();
        told = true;
        return undefined;
      }
      // Of two, or two in one, one may be the client's own.
      return more.length > 0 || value.includes(',') ? undefined : nameOf(value);
    },
  };
}

/** Node reads bytes of headers as Latin-1; proxies write UTF-8. */
function nameOf(value: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
    return accountNameSchema.safeParse(text).data;
  } catch {
    return undefined;
  }
}
