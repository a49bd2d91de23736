/** Counters of limits in Valkey or Redis, by rate-limiter-flexible. */
import { RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Result } from 'iovalkey';
import { COUNTER_OPTIONS, type Counter } from '../http/auth/rate-limit.js';
import type { Valkey } from './valkey.js';

declare module 'iovalkey' {
  interface RedisCommander<Context> {
    /** Defined by rate-limiter-flexible. */
    rlflxIncr(args: readonly string[]): Result<[number, number], Context>;
  }
}

/** @param insurance counts while Valkey does not answer */
export function createValkeyCounter(
  { client, asking }: Valkey,
  prefix: string,
  insurance: RateLimiterAbstract,
): Counter {
  // Not RateLimiterValkey: its script needs the object `server`, which Redis and Valkey before 8 do not have.
  return new RateLimiterRedis({
    ...COUNTER_OPTIONS,
    keyPrefix: `parapet:${prefix}`,
    storeClient: {
      defineCommand: client.defineCommand.bind(client),
      rlflxIncr: (args: readonly string[]) => asking.ask(() => client.rlflxIncr(args)),
    },
    insuranceLimiter: insurance,
  });
}
