/** Promises of the `policies` command: what it prints, what it changes, and one line of reason with status 2. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { policiesCommand } from './command-run.js';

const command = () =>
  policiesCommand((text) => (text.includes('damn') ? { labels: { toxicity: 0.85, obscene: 0.9 } } : {}));

describe('policies set and show', () => {
  it('change what is named and show what comes of it, by name or id', async () => {
    const { run, json, forum } = await command();
    const flags = '--preset adults --pass-max-score 8 --category hate=fail:0.4 --category spam=ignore'.split(' ');
    expect(await run(['set', 'forum', ...flags])).toEqual({
      status: 0,
      out: 'The policy of forum has version 1.\n',
      err: '',
    });
    expect(
      await json(
        'set',
        '--project',
        'forum',
        '--category',
        'hate=:0.3',
        ...'--unreadable pass --blocked-terms mask'.split(' '),
      ),
    ).toMatchObject({
      version: 2,
    });
    const shown = {
      project: 'forum',
      projectId: forum,
      preset: 'adults',
      version: 2,
      by: 'command line',
      policy: {
        preset: 'adults',
        passMaxScore: 8,
        unreadable: 'pass',
        blockedTermsAction: 'mask',
        categories: { hate: { action: 'fail', threshold: 0.3 }, spam: { action: 'ignore' } },
      },
      resolved: { passMaxScore: 8, categories: { obscene: { action: 'report' } } },
    };
    expect(await json('show', 'forum')).toMatchObject(shown);
    expect(await json('show', forum)).toMatchObject(shown);
    await run(['set', 'forum', '--review-scores', '4-6']);
    expect(await json('show', 'forum')).toMatchObject({ policy: { review: { scores: { from: 4, to: 6 } } } });
    const { out } = await run(['show', 'forum']);
    expect(out).toMatch(/^forum: version 3 of .* by command line, preset adults\.\nA score above 8 fails a text\.\n/);
    expect(out).toContain('Scores from 4 to 6 are to be reviewed.');
    expect(await json('set', 'forum', '--second-reviews', '0.125')).toMatchObject({
      policy: { review: { scores: { from: 4, to: 6 }, secondReviews: 0.125 } },
    });
    expect((await run(['show', 'forum'])).out).toContain(
      '12.5 % of what a person judges is judged by a second one too.',
    );
    expect((await run(['set', 'forum', '--second-reviews', '10 %'])).err).toContain('must be a number from 0 to 1');
    await run(['set', 'forum', '--review-scores', 'default']);
    expect(await json('show', 'forum')).toMatchObject({ policy: { review: { secondReviews: 0.125 } } });
    await run(['set', 'forum', '--second-reviews', 'default']);
    expect(JSON.stringify(await json('show', 'forum'))).not.toContain('secondReviews');
    expect((await run(['set', 'forum', '--review-scores', '6-4'])).err).toContain('from must not be above to');
    expect((await run(['show', 'forum'])).out).not.toContain('to be reviewed');
    expect(out).toMatch(/^hate +fail +0\.3$/m);
  });

  it('say what is kept, and leave texts out where there is no key that encrypts them', async () => {
    const { run, json, fileWith } = await command();
    expect(await json('set', 'shop', '--keep', 'texts:30:id')).toMatchObject({
      policy: { keep: { what: 'texts', days: 30, reference: 'id' } },
    });
    expect((await run(['show', 'shop'])).out).toContain(
      'Verdicts and texts are kept for 30 days, with metadata.id as the reference.\n',
    );
    const shown = JSON.stringify(await json('show', 'shop'));
    expect(await json('set', 'forum', '--from', fileWith('shown.json', shown), '--base-version', '0')).toMatchObject({
      policy: { keep: { what: 'texts', days: 30, reference: 'id' } },
    });
    expect(await json('set', 'shop', '--keep', 'none')).toMatchObject({ version: 2, policy: {} });
    expect(await json('history', 'shop')).toMatchObject({ versions: [{ changed: ['keep'] }, { changed: ['keep'] }] });

    const without = await policiesCommand(() => ({}), undefined, false);
    const { policies, shop } = without;
    await policies.edit(shop, () => ({ keep: { what: 'texts', days: 1 } }), { by: 'dashboard' });
    expect((await without.run(['set', 'shop', '--keep', 'verdicts:1'])).status).toBe(0);
    for (const again of [
      ['set', 'shop', '--keep', 'texts:1'],
      ['restore', 'shop', '1'],
    ]) {
      expect(await without.run(again)).toMatchObject({
        status: 2,
        err: expect.stringContaining('keep.what must not be "texts" without DECISIONS_KEY') as string,
      });
    }
    expect((await policies.get(shop)).version).toBe(2);
    expect((await without.run(['restore', 'shop', '0'])).status).toBe(0);
  });

  it('take a policy from a file, and refuse it where the policy was changed since it was shown', async () => {
    const { run, json, fileWith } = await command();
    await run(['set', 'shop', '--preset', 'games']);
    const file = fileWith('shown.json', JSON.stringify(await json('show', 'shop')));
    await run(['set', 'shop', '--pass-max-score', '1']);
    const { status, err } = await run(['set', 'shop', '--from', file, '--preset', 'news']);
    expect(status).toBe(2);
    expect(err).toMatch(
      /^The policy was changed since version 1: version 2 \(command line, .*\) changed passMaxScore\. [^\n]*\n$/,
    );
    expect(await json('set', 'shop', '--from', file, '--base-version', '2')).toMatchObject({
      version: 3,
      policy: { preset: 'games' },
    });
    const alone = await run(['set', 'shop', '--from', '-'], '{"passMaxScore": 0}');
    expect(alone.status).toBe(0);
    expect(await json('show', 'shop')).toMatchObject({ version: 4, policy: { passMaxScore: 0 } });
  });
});

describe('policies history and restore', () => {
  it('tell who changed what, and bring any of it back', async () => {
    const { run, json } = await command();
    await run(['set', 'shop', '--preset', 'games']);
    await run(['set', 'shop', '--category', 'hate=ignore']);
    expect(await json('restore', 'shop', '1')).toMatchObject({ version: 3, policy: { preset: 'games' } });
    expect(await json('history', 'shop')).toMatchObject({
      oldest: 0,
      versions: [
        { version: 3, restored: 1, changed: ['categories.hate'] },
        { version: 2, changed: ['categories.hate'] },
        { version: 1, changed: ['preset'] },
      ],
    });
    expect((await run(['history', 'shop'])).out).toMatch(/^3 .* command line +restored 1: categories\.hate$/m);
    expect((await run(['restore', 'shop', '1', '--base-version', '2'])).status).toBe(2);
  });
});

describe('policies terms', () => {
  it('come in and go out as plain text, with what occurs twice told', async () => {
    const { run, json, fileWith } = await command();
    const file = fileWith('terms.txt', '# ours\nbad word\nslur*\n\n  bad word  \n\\#tag\r\nslur*\n');
    const { status, out, err } = await run(['terms', 'import', 'shop', 'blocked', file]);
    expect([status, out]).toEqual([0, 'shop has 3 blocked terms, in version 1 of its policy.\n']);
    expect(err).toBe('Line 5 repeats line 2.\nLine 7 repeats line 3.\n');
    expect(await json('show', 'shop')).toMatchObject({ policy: { blockedTerms: ['bad word', 'slur*', '#tag'] } });
    expect((await run(['terms', 'export', 'shop', 'blocked'])).out).toBe('bad word\nslur*\n\\#tag\n');
    const added = await run(['terms', 'import', 'shop', 'blocked', '-', '--add', '--json'], 'new\nslur*\n');
    expect(JSON.parse(added.out)).toMatchObject({ version: 2, terms: 4, duplicates: [] });
    const target = join(dirname(file), 'out.txt');
    await run(['terms', 'export', 'shop', 'blocked', target]);
    await run(['terms', 'import', 'shop', 'ignored', target]);
    expect(await json('show', 'shop')).toMatchObject({
      version: 3,
      policy: { ignoredTerms: ['bad word', 'slur*', '#tag', 'new'] },
    });
  });
});

const previewSchema = z.object({
  texts: z.int(),
  changed: z.array(z.object({ text: z.string(), change: z.string() })),
});

describe('policies preview', () => {
  it('judges the texts once, shows what would change, and changes nothing', async () => {
    const { run, json, fileWith, file, models } = await command();
    const lines = fileWith('texts.txt', 'Good morning\ndamn it\n');
    const { status, out } = await run(['preview', 'shop', '--preset', 'adults', '--input', lines]);
    expect(status).toBe(0);
    expect(out).toContain('2 texts: 1 fail under the policy in force, 0 would fail.');
    expect(out).toMatch(/^would pass +8 +2 +obscene,toxic > obscene,toxic +damn it$/m);
    const csv = fileWith('texts.csv', 'id,text\n1,"damn, you"\n');
    const told = previewSchema.parse(await json('preview', 'shop', '--preset', 'adults', '--input', csv));
    expect(told).toMatchObject({ texts: 1, changed: [{ text: 'damn, you', change: 'now passes' }] });
    expect(models()).toEqual({ loaded: 2, closed: 2 });
    expect(existsSync(file)).toBe(false);
  });
});

describe('policies', () => {
  it.each([
    [['frobnicate'], 'The command must be'],
    [['show', 'nobody'], 'There is no such project. There are: "shop", "forum".'],
    [['set', 'shop'], 'There is nothing to change'],
    [['set', 'shop', '--pass-max-score', 'many'], '--pass-max-score must be a whole number'],
    [['set', 'shop', '--category', 'hate'], '--category must be like hate=fail:0.4'],
    [['set', 'shop', '--keep', 'texts'], '--keep must be none, or like verdicts:30'],
    [['set', 'shop', '--keep', 'texts:3651'], 'keep.days must be a whole number from 1 to 3650'],
    [['set', 'shop', '--from', '/nowhere.json'], 'Cannot read /nowhere.json (ENOENT)'],
    [['set', 'shop', '--colour', 'red'], "Unknown option '--colour'"],
    [['restore', 'shop', 'first'], 'The version must be a whole number'],
    [['terms', 'import', 'shop', 'banned', 'x'], 'terms needs import or export'],
    [['preview', 'shop', '--preset', 'adults'], '--input is missing'],
  ])('%j ends with status 2 and one line that says why', async (argv, reason) => {
    const { run, file, models } = await command();
    const { status, out, err } = await run(argv);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(reason);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect([existsSync(file), models().loaded]).toEqual([false, 0]);
  });
});
