/** Reads DATABASE_URL: which servers it names, what the driver gets, and what may be shown of it. Opens nothing. */
import { OperatorError } from '../../errors.js';

export interface Host {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

export interface Address {
  /** Tried in their order, from the one that answered last. */
  readonly hosts: readonly [Host, ...Host[]];
  /** With one host, which counts for nothing: the rest is the driver's to read. */
  readonly driverUrl: string;
  /** For operators, without user and password. */
  readonly shown: string;
}

const DEFAULT_PORT = 5432;
/** Scheme, user and password, hosts, and the rest. */
const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(\/[^?#]*)?(\?[^#]*)?$/;

/**
 * `postgres://USER:PASSWORD@HOST[:PORT][,HOST[:PORT]…]/DATABASE[?sslmode=…]`, as libpq has it. A folder of a Unix socket is written with %2F.
 *
 * @throws OperatorError that repeats nothing of it
 */
export function addressOf(databaseUrl: string): Address {
  const [, before = '', hostList = '', path = '/', query = ''] = SHAPE.exec(databaseUrl) ?? refuse();
  const [first, ...others] = hostList.split(',').map(hostOf);
  if (first === undefined) return refuse();
  const hosts = [first, ...others] as const;
  const shownHosts = hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  return {
    hosts,
    driverUrl: `${before}localhost${path}${query}`,
    shown: `PostgreSQL at ${shownHosts}${path === '/' ? '' : `, database ${decodeURIComponent(path.slice(1))}`}`,
  };
}

function hostOf(text: string): Host {
  const [, ipv6, name = ipv6 ?? '', port = String(DEFAULT_PORT)] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? refuse();
  return { host: decodeURIComponent(name), port: Number(port) };
}

function refuse(): never {
  throw new OperatorError(
    'DATABASE_URL must be an address such as postgres://USER:PASSWORD@HOST:5432/DATABASE. Characters such as @, / and : in the password are written as %40, %2F and %3A.',
  );
}
