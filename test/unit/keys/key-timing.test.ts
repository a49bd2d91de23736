/**
 * The promise that the time of a refusal does not tell an unknown key from a revoked, an expired or a malformed one. The kinds take
 * turns, so that whatever else the machine does falls on all of them alike, and medians are compared, which hiccups do not move.
 */
import { expect, it } from 'vitest';
import { median } from '../../../benchmarks/load/figures/percentiles.js';
import { createKeySecret } from '../../../src/keys/key-format.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { DAY_MS, freshKeyFile, REQUEST, standingClock, verifierOf } from '../storage/store-folder.js';

const SAMPLES = 4000;
/** Of a check of 3 µs. A check without a look at the file and a hash, say, would take a quarter of the others' time. */
const MOST_TIMES_SLOWER = 1.5;

it('refusing a key takes the same time, whatever is wrong with it', async () => {
  const file = freshKeyFile();
  const clock = standingClock();
  const opened = openFileStore(file, { now: clock.now });
  const store = opened.keys;
  const revoked = await store.create(REQUEST);
  await store.revoke(revoked.record.id);
  const expired = await store.create({ ...REQUEST, expiresInMs: DAY_MS });
  clock.advance(2 * DAY_MS);
  const { key: unknown } = createKeySecret('live');
  const mistyped = unknown.slice(0, -1) + (unknown.endsWith('a') ? 'b' : 'a');
  const presented = { unknown, revoked: revoked.key, expired: expired.key, malformed: mistyped };
  const verifier = verifierOf(opened, clock.now);

  const kinds = Object.entries(presented).map(([status, key]) => ({ status, key, tookNs: [] as number[] }));
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    // Whoever is first in a round meets other caches than the rest: each is first equally often.
    for (let turn = 0; turn < kinds.length; turn += 1) {
      const kind = kinds[(sample + turn) % kinds.length];
      if (kind === undefined) continue;
      const begun = process.hrtime.bigint();
      const answer = verifier.verify(kind.key);
      kind.tookNs.push(Number(process.hrtime.bigint() - begun));
      const verification = await answer;
      if (verification.status !== kind.status) expect(verification.status).toBe(kind.status);
    }
  }
  const medians = kinds.map(({ status, tookNs }) => [status, median(tookNs) ?? Number.NaN] as const);
  const times = medians.map(([, median]) => median);
  console.info(medians.map(([status, median]) => `${status} ${median} ns`).join(', '));
  expect(Math.max(...times) / Math.min(...times)).toBeLessThan(MOST_TIMES_SLOWER);
});
