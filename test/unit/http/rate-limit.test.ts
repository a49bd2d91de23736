import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiter, LocalCounter } from '../../../src/http/auth/rate-limit.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('rate limit', () => {
  it('lets a whole quota through at once, then refuses until the minute ends that began with the first request', async () => {
    const limiter = createRateLimiter();
    const decisions = [];
    for (let request = 0; request < 7; request += 1) {
      decisions.push(await limiter.take('key_a', 6));
      vi.advanceTimersByTime(1_000);
    }
    expect(decisions.map((decision) => decision?.allowed)).toEqual([true, true, true, true, true, true, false]);
    expect(decisions.map((decision) => decision?.remaining)).toEqual([5, 4, 3, 2, 1, 0, 0]);
    expect(decisions.at(-1)).toMatchObject({ limit: 6, resetSeconds: 54 });
    vi.advanceTimersByTime(52_999);
    expect(await limiter.take('key_a', 6)).toMatchObject({ allowed: false, resetSeconds: 1 });
    vi.advanceTimersByTime(1);
    expect(await limiter.take('key_a', 6)).toMatchObject({ allowed: true, remaining: 5, resetSeconds: 60 });
  });

  it('takes all that is asked for at once, or nothing', async () => {
    const limiter = createRateLimiter();
    expect(await limiter.take('key_a', 10, 8)).toMatchObject({ allowed: true, remaining: 2 });
    expect(await limiter.take('key_a', 10, 3)).toMatchObject({ allowed: false, remaining: 2 });
    expect(await limiter.take('key_a', 10, 2)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('counts each name under its own limit, and 0 is none', async () => {
    const limiter = createRateLimiter();
    expect(await limiter.take('key_a', 1)).toMatchObject({ allowed: true });
    expect(await limiter.take('key_a', 1)).toMatchObject({ allowed: false });
    expect(await limiter.take('key_b', 2)).toMatchObject({ allowed: true, remaining: 1 });
    expect(await limiter.take('key_c', 0)).toBeUndefined();
  });

  it('asks nobody any more about a name that is far over its limit, until its minute ends', async () => {
    const counter = new LocalCounter();
    const consume = vi.spyOn(counter, 'consume');
    const limiter = createRateLimiter(counter);
    for (let request = 0; request < 5_000; request += 1) await limiter.take('key_a', 10);
    expect(consume.mock.calls.length).toBeLessThan(1_100);
    expect(await limiter.take('key_a', 10)).toEqual({ allowed: false, limit: 10, remaining: 0, resetSeconds: 60 });
    vi.advanceTimersByTime(60_000);
    expect(await limiter.take('key_a', 10)).toMatchObject({ allowed: true, remaining: 9 });
  });

  it('remembers a bounded number of names', async () => {
    const counter = new LocalCounter();
    const limiter = createRateLimiter(counter);
    await limiter.take('first', 2);
    for (let name = 0; name < 60_000; name += 1) await limiter.take(`address-${name}`, 2);
    expect(counter.dump().storage.length).toBeLessThan(51_000);
    expect(await limiter.take('first', 2)).toMatchObject({ remaining: 1 });
    expect(await limiter.take('address-59999', 2)).toMatchObject({ remaining: 0 });
  });
});
