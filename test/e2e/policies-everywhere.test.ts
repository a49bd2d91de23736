/** Two projects with opposite policies on the built service and its model: the same texts, at every door, and long lists of terms. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { madeUpTerms } from '../support/terms/made-up-terms.js';
import {
  analyze,
  analyzeInDetail,
  createKey,
  policiesCommand,
  startServiceForAll,
  temporaryFolder,
  type ReadyService,
} from '../support/service.js';

const SWEARING = 'This shit is fucking great';

const SCRIPTS = ['Latin', 'Cyrillic', 'Arabic', 'Devanagari', 'Han'];

let service: ReadyService;
let adults: ReadyService;
let children: ReadyService;
const policies = (...argv: string[]): Promise<string> => policiesCommand(service.keysFile, ...argv);

startServiceForAll(async (started) => {
  service = started;
  adults = { ...service, key: (await createKey(service.keysFile, { project: 'bar' })).key };
  children = { ...service, key: (await createKey(service.keysFile, { project: 'school' })).key };
  await policies('set', 'bar', '--preset', 'adults');
  await policies('set', 'school', '--preset', 'children');
});

it('10,000 terms in five scripts are found in the texts of their project and of no other', async () => {
  // Single words alone: of Chinese, several words and one of the same characters are the same term.
  const all = madeUpTerms(15_000)
    .filter((term) => /^\p{L}+$/u.test(term))
    .slice(0, 10_000);
  const file = join(temporaryFolder(), 'terms.txt');
  writeFileSync(file, all.join('\n'));
  const imported: unknown = JSON.parse(await policies('terms', 'import', 'school', 'blocked', file, '--json'));
  expect(imported).toMatchObject({ terms: 10_000, duplicates: [], unmatchable: [] });
  const terms = SCRIPTS.map(
    (script) => all.find((term) => new RegExp(`^\\p{sc=${script}}{4,}$`, 'u').test(term)) ?? '',
  );
  for (const term of terms) {
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
  expect((await analyze(children, `hello ${terms[0] ?? ''} there`)).categories).not.toContain('blocked_term');
}, 60_000);

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
