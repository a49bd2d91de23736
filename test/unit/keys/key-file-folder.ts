/** A key file in a folder of its own for each test, removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

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

/** A clock that stands still until it is told to move on. */
export function standingClock(start = '2030-01-01T00:00:00.000Z'): { now: () => Date; advance: (ms: number) => void } {
  let time = Date.parse(start);
  return { now: () => new Date(time), advance: (ms) => void (time += ms) };
}
