/** A store in a folder of its own for each test, removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createKeyVerifier, type KeyVerifier } from '../../../src/keys/key-verifier.js';
import type { Store } from '../../../src/storage/store.js';

/** The path of a key file that does not exist yet. */
export function freshKeyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'keys.json');
}

export const REQUEST = {
  project: 'shop',
  name: 'backend',
  environment: 'live',
  expiresInMs: null,
  rateLimitPerMinute: null,
} as const;

export const DAY_MS = 86_400_000;

/** A text that failed, as it is counted. */
export const FAILED_VERDICT = {
  keyId: 'key_a',
  door: '/v1/analyze',
  analysis: {
    verdict: { passed: false, score: 8, categories: ['toxic', 'insult'] },
    probabilities: { language: { tag: 'de' } },
    cached: false,
  },
  latencyMs: 7,
} as const;

/** A clock that stands still until it is told to move on. */
export function standingClock(start = '2030-01-01T00:00:00.000Z'): { now: () => Date; advance: (ms: number) => void } {
  let time = Date.parse(start);
  return { now: () => new Date(time), advance: (ms) => void (time += ms) };
}

export function verifierOf(store: Store, now?: () => Date, onProblem?: (problem: string) => void): KeyVerifier {
  return createKeyVerifier({
    keys: store.keys,
    onUse: (id, at) => store.usage.note(id, at),
    ...(now && { now }),
    ...(onProblem && { onProblem }),
  });
}
