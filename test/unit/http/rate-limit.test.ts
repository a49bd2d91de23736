import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/http/auth/rate-limit.js';

function withClock() {
  let nowMs = 1_000_000;
  const limiter = createRateLimiter({ now: () => nowMs });
  return { limiter, wait: (milliseconds: number) => (nowMs += milliseconds) };
}

describe('rate limit', () => {
  it('lets a burst of the whole quota through, then refuses', () => {
    const { limiter } = withClock();
    const decisions = Array.from({ length: 7 }, () => limiter.take('key_a', 6));
    expect(decisions.map((decision) => decision?.allowed)).toEqual([true, true, true, true, true, true, false]);
    expect(decisions.map((decision) => decision?.remaining)).toEqual([5, 4, 3, 2, 1, 0, 0]);
  });

  it('says when the next request is allowed, and keeps that word', () => {
    const { limiter, wait } = withClock();
    for (let request = 0; request < 6; request += 1) limiter.take('key_a', 6);
    const refused = limiter.take('key_a', 6);
    expect(refused).toMatchObject({ allowed: false, retryAfterSeconds: 10, resetSeconds: 60 });
    wait(9_999);
    expect(limiter.take('key_a', 6)?.allowed).toBe(false);
    wait(1);
    expect(limiter.take('key_a', 6)?.allowed).toBe(true);
  });

  it('never holds more than one quota, however long nobody asks', () => {
    const { limiter, wait } = withClock();
    limiter.take('key_a', 2);
    wait(3_600_000);
    expect([1, 2, 3].map(() => limiter.take('key_a', 2)?.allowed)).toEqual([true, true, false]);
  });
});
