/** Promises of the overlay: field over preset over settings, member by member, and what the presets mean. */
import { describe, expect, it } from 'vitest';
import { LABEL_CATEGORIES } from '../../../src/moderation/categories.js';
import { policyOfSettings } from '../../../src/moderation/verdict-policy.js';
import { policyFieldsSchema, PRESET_NAMES } from '../../../src/policies/policy-schema.js';
import { PRESETS } from '../../../src/policies/presets.js';
import { resolveFields, resolvePolicy } from '../../../src/policies/resolve-policy.js';
import { SETTINGS } from '../../support/settings.js';

describe('a resolved policy', () => {
  it('is the settings where nothing else is said', () => {
    expect(resolvePolicy(SETTINGS, 'default', {})).toEqual(policyOfSettings(SETTINGS));
    expect(resolveFields({ ...SETTINGS, passMaxScore: 7 }, {}).passMaxScore).toBe(7);
  });

  it('lays fields over the preset and the preset over the settings, member by member', () => {
    const policy = resolvePolicy(SETTINGS, 'children', {
      passMaxScore: 5,
      categories: { obscene: { action: 'ignore' }, spam: { threshold: 0.9 } },
    });
    expect(policy.passMaxScore).toBe(5);
    expect(policy.categories.obscene).toEqual({
      action: 'ignore',
      threshold: PRESETS.children.categories?.obscene?.threshold,
    });
    expect(policy.categories.spam).toEqual({ action: 'fail', threshold: 0.9 });
    expect(policy.categories.insult).toEqual(PRESETS.children.categories?.insult);
  });

  it('follows the settings in what its preset does not say', () => {
    expect(resolvePolicy({ ...SETTINGS, unreadable: 'pass' }, 'adults', {}).unreadable).toBe('pass');
    expect(resolvePolicy({ ...SETTINGS, unreadable: 'pass' }, 'adults', { unreadable: 'fail' }).unreadable).toBe(
      'fail',
    );
  });

  it('tells lists of terms apart, and only where they differ', () => {
    const digestOf = (blockedTerms: string[], ignoredTerms: string[] = []) =>
      resolvePolicy(SETTINGS, 'default', { blockedTerms, ignoredTerms }).terms?.digest;
    expect(digestOf([])).toBeUndefined();
    expect(digestOf(['a', 'b'])).toBe(digestOf(['a', 'b']));
    expect(
      new Set([digestOf(['a', 'b']), digestOf(['ab']), digestOf(['a'], ['b']), digestOf([], ['a', 'b'])]).size,
    ).toBe(4);
  });

  it('keeps what the policy says, and nothing where it says nothing', () => {
    const keep = { what: 'verdicts', days: 30, reference: 'id' } as const;
    expect(resolveFields(SETTINGS, { keep }).keep).toEqual(keep);
    expect(resolveFields(SETTINGS, { keep: { what: 'none' } }).keep).toBeUndefined();
    expect(resolveFields(SETTINGS, {}).keep).toBeUndefined();
  });

  it('names its preset and version where it is kept', () => {
    expect(resolveFields(SETTINGS, { preset: 'adults' }, 3).origin).toEqual({ name: 'adults', version: 3 });
    expect(resolveFields(SETTINGS, { passMaxScore: 1 }, 1).origin).toEqual({ name: 'default', version: 1 });
    expect(resolveFields(SETTINGS, {}).origin).toBeUndefined();
  });
});

describe('presets', () => {
  it.each(PRESET_NAMES)('%s is made of valid fields', (preset) => {
    expect(policyFieldsSchema.safeParse(PRESETS[preset]).success).toBe(true);
  });

  it('for adults lets swearing pass at any score, and neither hate nor threats nor severe abuse', () => {
    const { passMaxScore, categories } = resolvePolicy(SETTINGS, 'adults', {});
    expect(passMaxScore).toBe(10);
    for (const category of ['toxic', 'obscene', 'insult'] as const) expect(categories[category].action).toBe('report');
    for (const category of ['severe_toxic', 'hate', 'threat', 'sexual', 'self_harm', 'spam'] as const) {
      expect(categories[category].action).toBe('fail');
    }
  });

  it('for children fails every category', () => {
    const { categories } = resolvePolicy(SETTINGS, 'children', {});
    expect(LABEL_CATEGORIES.filter((category) => categories[category].action !== 'fail')).toEqual([]);
  });
});
