/** Two projects with opposite policies on the built service and its model: the same texts, at every door, and long lists of terms. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtUrl } from '../support/built.js';
import {
  analyze,
  analyzeInDetail,
  createKey,
  startService,
  temporaryFolder,
  type ReadyService,
} from '../support/service.js';

const CLI = fileURLToPath(builtUrl('cli/policies.js'));
const SWEARING = 'This shit is fucking great';

/** Words of four or more letters that no other script has, a list a script. */
const ALPHABETS = [
  'bcdfghklmnprst',
  'бвгджзклмнпрст',
  'βγδζθκλμνξπρστ',
  'بتثجحخدرزسشصطع',
  '的一是不了人我在有他这中大来',
];
const TERMS_OF_A_SCRIPT = 2000;

function termsOf(alphabet: string): string[] {
  const letters = Array.from(alphabet);
  return Array.from({ length: TERMS_OF_A_SCRIPT }, (_, index) =>
    Array.from({ length: 6 }, (_, place) => letters[Math.floor(index / letters.length ** place) % letters.length]).join(
      '',
    ),
  );
}

let service: ReadyService;
let adults: ReadyService;
let children: ReadyService;
const cleanups: (() => unknown)[] = [];

async function policies(...argv: string[]): Promise<string> {
  const child = spawn(process.execPath, [CLI, ...argv], { env: { ...process.env, KEYS_FILE: service.keysFile } });
  const [out, error] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(error);
  return out;
}

beforeAll(async () => {
  service = await startService({}, (clean) => cleanups.unshift(clean));
  adults = { ...service, key: (await createKey(service.keysFile, { project: 'bar' })).key };
  children = { ...service, key: (await createKey(service.keysFile, { project: 'school' })).key };
  await policies('set', 'bar', '--preset', 'adults');
  await policies('set', 'school', '--preset', 'children');
}, 60_000);

afterAll(async () => {
  for (const clean of cleanups) await clean();
});

it('10,000 terms in five scripts are found in the texts of their project and of no other', async () => {
  const lists = ALPHABETS.map(termsOf);
  const file = join(temporaryFolder(), 'terms.txt');
  writeFileSync(file, lists.flat().join('\n'));
  const imported: unknown = JSON.parse(await policies('terms', 'import', 'school', 'blocked', file, '--json'));
  expect(imported).toMatchObject({ terms: 10_000, duplicates: [], unmatchable: [] });
  for (const list of lists) {
    const term = list[1234] ?? '';
    const text = `hello ${term.toUpperCase()} there`;
    const found = await analyzeInDetail(children, text);
    expect([found.passed, found.categories[0]]).toEqual([false, 'blocked_term']);
    // Beside it the made-up word may be called spam.
    expect(found.details.spans.filter(({ label }) => label === 'blocked_term')).toMatchObject([
      { start: 6, end: 6 + term.length, probability: 1 },
    ]);
    expect((await analyze(adults, text)).categories).not.toContain('blocked_term');
  }
  const withoutTerms = join(temporaryFolder(), 'policy.json');
  writeFileSync(withoutTerms, JSON.stringify({ preset: 'children' }));
  await policies('set', 'school', '--from', withoutTerms);
  expect((await analyze(children, `hello ${lists[0]?.[1234] ?? ''} there`)).categories).not.toContain('blocked_term');
}, 60_000);

it('a word that never counts is read as a neutral one, in its project alone', async () => {
  const text = 'Dick is a prick, said the idiot';
  const before = await analyze(adults, text);
  const file = join(temporaryFolder(), 'ignored.txt');
  writeFileSync(file, 'dick\nprick\nidiot\n');
  await policies('terms', 'import', 'bar', 'ignored', file);
  expect((await analyze(adults, text)).score).toBeLessThan(before.score);
  expect((await analyze(children, text)).score).toBe(before.score);
});

it('a change holds for every request that begins after it returned, while many are under way', async () => {
  const asked: { readonly beganMs: number; readonly passed: boolean }[] = [];
  let isOver = false;
  const callers = Array.from({ length: 16 }, async (_, caller) => {
    for (let count = 0; !isOver; count += 1) {
      const beganMs = performance.now();
      // Every second text is new, so that some wait for a worker while the policy changes.
      const { passed } = await analyze(adults, count % 2 === 0 ? SWEARING : `${SWEARING} ${caller}.${count}`);
      asked.push({ beganMs, passed });
    }
  });
  let lastReturnedMs = Infinity;
  for (const preset of ['children', 'adults', 'children']) {
    await policies('set', 'bar', '--preset', preset);
    lastReturnedMs = performance.now();
    const answered = asked.length;
    while (asked.length < answered + 50) await new Promise(setImmediate);
  }
  isOver = true;
  await Promise.all(callers);
  const afterLast = asked.filter(({ beganMs }) => beganMs >= lastReturnedMs);
  expect(afterLast.length).toBeGreaterThanOrEqual(16);
  expect(afterLast.filter(({ passed }) => passed)).toEqual([]);
  expect(asked.some(({ passed }) => passed)).toBe(true);
}, 60_000);
