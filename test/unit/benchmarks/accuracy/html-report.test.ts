/** Promises of the HTML report: it stands alone, shows what it should, and runs nothing of the data. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run } from './command-run.js';
import { createFakeJudge, judgementOf } from './judgements.js';
import { createScratchFolder } from './scratch-folder.js';

const HOSTILE = '<script>alert("0.9")</script> & \'more\'';
const ESCAPED = '&lt;script&gt;alert(&quot;0.9&quot;)&lt;/script&gt; &amp; &#39;more&#39;';

async function reportOf(columns: readonly string[], name = 'a.jsonl'): Promise<string> {
  const folder = createScratchFolder();
  const rows = [
    { text: HOSTILE, [HOSTILE]: 0, rude: 0, mood: 'neutral', whom: HOSTILE },
    ...Array.from({ length: 60 }, (_, row) => ({
      text: `row ${row}`,
      [HOSTILE]: row % 2,
      rude: row % 3 === 0 ? 1 : 0,
      mood: 'positive',
      whom: row % 4 === 0 ? HOSTILE : null,
    })),
  ];
  const input = folder.file(name, rows.map((row) => JSON.stringify(row)).join('\n'));
  const judge = createFakeJudge({
    description: HOSTILE,
    judge: (text) => {
      const toxicity = text === HOSTILE ? 0.99 : 0.4;
      const categories = [HOSTILE, 'toxic'];
      return Promise.resolve(judgementOf(toxicity, { labels: { toxicity, insult: 0.3 }, model: HOSTILE, categories }));
    },
  });
  const report = folder.path('r.html');
  const flags = ['--input', input, '--text-column', 'text', '--html', report, '--group-column', 'whom'];
  const { status, stderr } = await run([...flags, '--fit-threshold', 'f1', ...columns], judge);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return readFileSync(report, 'utf8');
}

const plain = ['--label-column', HOSTILE];

describe('report', () => {
  it('shows the worst mistakes and runs nothing of the texts, names and categories', async () => {
    const html = await reportOf(plain);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('alert("');
    // Text, categories, column, model, judge and group.
    expect(html.split(ESCAPED).length).toBeGreaterThan(6);
    // 20 of each kind, the hostile one first.
    expect(html.match(/class="text"/g)).toHaveLength(40);
    expect(html.indexOf(`dir="auto">${ESCAPED}`)).toBeLessThan(html.indexOf('row 0<'));
  });

  it('needs nothing from elsewhere', async () => {
    const html = await reportOf(plain);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(html).not.toMatch(/<(img|link|iframe|object|embed|use|image)|src=|url\(|@import|https?:/);
  });

  it('puts every point of every picture inside it, with no number that is none', async () => {
    const html = await reportOf(plain);
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
    const pictures = [...html.matchAll(/<svg viewBox="0 0 (\d+) (\d+)"[\s\S]*?<\/svg>/g)];
    expect(pictures).toHaveLength(5);
    for (const [picture, width, height] of pictures) {
      const places = [...picture.matchAll(/ (?:c?(x|y)[12]?)="([^"]+)"/g)];
      expect(places.length).toBeGreaterThan(20);
      for (const [, axis, value] of places) {
        expect(Number(value)).toBeGreaterThanOrEqual(0);
        expect(Number(value)).toBeLessThanOrEqual(Number(axis === 'x' ? width : height));
      }
    }
  });
});
