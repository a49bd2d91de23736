/**
 * One signed request (https://www.standardwebhooks.com), to an address that may be asked: not to one of the own network, whatever a name resolves to.
 * Follows no redirect and reads no answer.
 */
import { lookup, type LookupAddress } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Webhook } from 'standardwebhooks';
import { errorCodeOf } from '../errors.js';
import type { DueDelivery } from './webhook-repository.js';

export interface SendOptions {
  /** Networks within which addresses may be asked that are not of the internet, as 10.1.0.0/16. */
  readonly networks: readonly string[];
  readonly now: () => Date;
  readonly timeoutMs?: number;
  /** Of names; for tests. */
  readonly resolve?: Resolve;
}

type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Undefined where it was taken. */
export type SendProblem = { readonly problem: string; readonly isGone: boolean } | undefined;

const TIMEOUT_MS = 10_000;
const FORBIDDEN = 'the address is of a network that is not asked: see WEBHOOK_NETWORKS';

export async function sendWebhook(delivery: DueDelivery, options: SendOptions): Promise<SendProblem> {
  const { now, timeoutMs = TIMEOUT_MS, networks, resolve = resolved } = options;
  const url = new URL(delivery.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host, networks)) return { problem: FORBIDDEN, isGone: false };
  const at = now();
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(delivery.payload),
    'user-agent': 'Parapet',
    'webhook-id': delivery.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': delivery.secrets
      .map((secret) => new Webhook(secret).sign(delivery.id, at, delivery.payload))
      .join(' '),
  };
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((done) => {
    const failed = (problem: string): void => done({ problem, isGone: false });
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = request(
      url,
      { method: 'POST', headers, agent: false, signal, lookup: checkedLookup(networks, resolve) },
      ({ statusCode = 0 }) => {
        // Whatever else it says is not read.
        sent.destroy();
        if (statusCode >= 200 && statusCode < 300) done(undefined);
        else done({ problem: `it answered ${statusCode}`, isGone: statusCode === 410 });
      },
    );
    sent.on('error', (error) => {
      if (signal.aborted) failed(`no answer within ${timeoutMs / 1000} s`);
      else failed(error instanceof ForbiddenAddress ? FORBIDDEN : `no connection (${errorCodeOf(error) ?? 'unknown'})`);
    });
    sent.end(delivery.payload);
  });
}

class ForbiddenAddress extends Error {}

/** The address that was checked is the one that is connected to: a name may have another a moment later. */
function checkedLookup(networks: readonly string[], resolve: Resolve): LookupFunction {
  return (host, { all }, done) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isAllowed(address, networks))) {
          done(new ForbiddenAddress(), '');
        } else if (all === true) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      (error: unknown) => done(error as NodeJS.ErrnoException, ''),
    );
  };
}

function resolved(host: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}

/** One of the internet, or of the networks. An IPv4 address within an IPv6 one counts as itself. */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() === 'unicast') return true;
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}
