/** Promises of `policies fit`: it reads labelled files as parapet accuracy does, and sets thresholds only on the policy they were fitted with. */
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { policiesCommand } from './command-run.js';

async function command(meanwhile?: Parameters<typeof policiesCommand>[1]) {
  const judge = (text: string) => ({ labels: { identity_attack: Number(/0\.\d+/.exec(text)?.[0] ?? 0) } });
  const { run, ...others } = await policiesCommand(judge, meanwhile);
  return { ...others, run: (...argv: string[]) => run(argv) };
}

const ROWS = [
  ...Array.from({ length: 100 }, (_, index) => [(index / 100 + 0.005).toFixed(3), '0'] as const),
  ...Array.from({ length: 40 }, (_, index) => [(0.6 + index / 100).toFixed(3), '1'] as const),
];
const CSV = `text,is_hate\n${ROWS.map(([text, label]) => `"so, ${text}",${label}\n`).join('')}`;
const FLAGS = ['--label-column', 'hate=is_hate', '--false-alarms', '0.1'];

describe('policies fit', () => {
  it('shows thresholds with what they do, how sure that is, and the command that sets them', async () => {
    const { run, fileWith, file } = await command();
    const { status, out, err } = await run('fit', 'shop', '--input', fileWith('texts.csv', CSV), ...FLAGS);
    expect([status, err]).toEqual([0, '']);
    expect(out).toContain('140 texts; thresholds for at most 10 % of false alarms each.');
    expect(out).toMatch(/^hate +fail +now +50 of 100: 50 % \(39\.8-60\.2\) +40 of 40: 100 % \(91\.2-100\.0\)$/m);
    expect(out).toMatch(/^ +fitted +0\.9 +10 of 100: 10 % \(4\.9-17\.6\) +10 of 40: 25 % \(12\.7-41\.2\)$/m);
    expect(out).toContain('npx parapet policies set "shop" --category hate=:0.9');
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['texts.csv.gz', gzipSync(CSV), []],
    ['texts.tsv', `text\tis_hate\n${ROWS.map((row) => `${row.join('\t')}\n`).join('')}`, []],
    ['texts.tsv', CSV.replaceAll(/,(?=is|\d\n)/g, '\t'), ['--quoted']],
    ['texts.jsonl', ROWS.map(([text, label]) => `${JSON.stringify({ text, is_hate: label === '1' })}\n`).join(''), []],
  ])('reads %s', async (name, content, more) => {
    const { run, fileWith } = await command();
    const { out } = await run('fit', 'shop', '--input', fileWith(name, content), ...FLAGS, ...more, '--json');
    expect(JSON.parse(out)).toMatchObject({
      version: 0,
      isSet: false,
      texts: 140,
      categories: [{ category: 'hate', after: { threshold: 0.9, found: { count: 10, of: 40 } } }],
      policy: { categories: { hate: { threshold: 0.9 } } },
    });
  });

  it('sets the thresholds as a new version, and no other field', async () => {
    const { run, fileWith, policies, shop } = await command();
    await run('set', 'shop', '--preset', 'adults', '--category', 'hate=report');
    const { status, out } = await run('fit', 'shop', '--input', fileWith('texts.csv', CSV), ...FLAGS, '--set');
    expect([status, out.endsWith('The policy of shop has version 2.\n')]).toEqual([0, true]);
    expect((await policies.get(shop)).policy).toEqual({
      preset: 'adults',
      categories: { hate: { action: 'report', threshold: 0.9 } },
    });
  });

  it('sets nothing where the policy was changed meanwhile, and shows what it found', async () => {
    const { run, fileWith, policies, shop } = await command((during) =>
      during.policies.edit(during.shop, () => ({ ignoredTerms: ['x'] }), { by: 'dashboard' }),
    );
    const { status, out, err } = await run('fit', 'shop', '--input', fileWith('texts.csv', CSV), ...FLAGS, '--set');
    expect([status, (await policies.get(shop)).version]).toEqual([2, 1]);
    expect(err).toMatch(/^The policy was changed since version 0: version 1 \(dashboard, .*\) changed ignoredTerms\./);
    expect(out).toContain('10 of 100');
  });

  it('sets nothing of which the texts cannot tell', async () => {
    const { run, fileWith, file } = await command();
    const input = fileWith('texts.csv', CSV);
    const { status, out, err } = await run('fit', 'shop', '--input', input, '--label-column', 'hate=is_hate', '--set');
    expect(status).toBe(2);
    expect(out).toContain('hate: too few texts that are not labelled so to tell: 100, and about 800 are needed.');
    expect(err).toBe('Nothing was set: there are too few texts to tell any threshold from them.\n');
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    [[], '--label-column is missing'],
    [['--label-column', 'hate=is_hate', '--label-column', 'hate=b'], 'There are two label columns for hate.'],
    [['--label-column', 'a', '--label-column', 'b'], 'may be given once'],
    [['--label-column', 'b'], 'there is no column "b"; there are: text, is_hate'],
    [[...FLAGS, '--category', 'spam'], 'Name the column that says what is spam.'],
    [[...FLAGS, '--category', 'rude'], '--category must be one of: toxic'],
    [['--label-column', 'is_hate', '--false-alarms', '1'], '--false-alarms must be a share'],
    [[...FLAGS, '--text-column', 'body'], 'there is no column "body"'],
    [[...FLAGS, '--input', 'texts.txt'], '--input must be a .csv, .tsv or .jsonl'],
  ])('%j ends with status 2 and one line that says why', async (flags, reason) => {
    const { run, fileWith } = await command();
    const { status, out, err } = await run('fit', 'shop', '--input', fileWith('texts.csv', CSV), ...flags);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(reason);
    expect(err).toMatch(/^[^\n]+\n$/);
  });
});
