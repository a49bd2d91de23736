/** Promises of masking: what a policy masks goes with its whole passage, and nothing goes where something else fails the text. */
import { describe, expect, it } from 'vitest';
import type { Classifier } from '../../../src/inference/classifier.js';
import { createAnalyzer } from '../../../src/moderation/analyzer.js';
import type { LabelCategory } from '../../../src/moderation/categories.js';
import { maskedText, masksAnything } from '../../../src/moderation/masking.js';
import { policyOfSettings, type CategoryAction, type VerdictPolicy } from '../../../src/moderation/verdict-policy.js';
import { termsOf } from '../../../src/policies/resolve-policy.js';
import { createFakeClassifier, type FakeJudgement } from '../../support/models/fake-classifier.js';
import { SETTINGS } from '../../support/settings.js';

const judged = (segment: string): FakeJudgement => ({
  labels: {
    ...(segment.includes('idiot') && { insult: 0.9, toxicity: 0.9 }),
    ...(segment.includes('damn') && { obscene: 0.9 }),
    ...(segment.includes('kill') && { threat: 0.9 }),
  },
});
const TERM = 'widgeto';
const BASE = policyOfSettings(SETTINGS);

function policyWith(actions: Partial<Record<LabelCategory, CategoryAction>>): VerdictPolicy {
  const rules = Object.entries(actions).map(([category, action]) => [category, { action }] as const);
  return { ...BASE, categories: { ...BASE.categories, ...Object.fromEntries(rules) } };
}

async function masked(text: string, policy: VerdictPolicy): Promise<string | undefined> {
  const fake = createFakeClassifier(judged);
  const classifier: Classifier = {
    ...fake,
    async classify(read, caller) {
      const start = caller?.terms === undefined ? -1 : read.indexOf(TERM);
      const found = await fake.classify(read, caller);
      return start === -1 ? found : { ...found, blockedTerms: [{ start, end: start + TERM.length }] };
    },
  };
  const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: 0 });
  return maskedText(text, await analyzer.analyze(text, { spans: true }));
}

describe('a masked text', () => {
  it('has a mark in place of each passage that carries a masked category, once where two of them meet', async () => {
    const policy = policyWith({ insult: 'mask', obscene: 'mask' });
    const text = '  Hello there. You damn idiot! Fine… 😀 \nIt is a damn shame.\n';
    expect(await masked(text, policy)).toBe('  Hello there. [masked] Fine… 😀 \n[masked]\n');
    expect(await masked('You idiot.', policy)).toBe('[masked]');
  });

  it('keeps what is only reported', async () => {
    const policy = policyWith({ insult: 'mask', obscene: 'report' });
    expect(await masked('A damn shame. You idiot.', policy)).toBe('A damn shame. [masked]');
    expect(await masked('A damn shame.', policy)).toBeUndefined();
  });

  it('is none where another category fails the text by itself', async () => {
    expect(await masked('You idiot. I will kill you.', policyWith({ insult: 'mask' }))).toBeUndefined();
    expect(await masked('You idiot. I will kill you.', policyWith({ insult: 'mask', threat: 'report' }))).toBe(
      '[masked] I will kill you.',
    );
  });

  it('is without blocked terms alone, where the policy masks them', async () => {
    const terms = termsOf({ blockedTerms: [TERM] });
    const text = 'What a widgeto this is.';
    expect(await masked(text, { ...BASE, terms, blockedTermsAction: 'mask' })).toBe('What a [masked] this is.');
    expect(await masked(text, { ...BASE, terms })).toBeUndefined();
    const both = { ...policyWith({ insult: 'mask' }), terms };
    expect(await masked(`${text} You idiot.`, both)).toBeUndefined();
  });

  it('takes a policy that masks something', () => {
    expect(masksAnything(BASE)).toBe(false);
    expect(masksAnything(policyWith({ spam: 'mask' }))).toBe(true);
    expect(masksAnything({ ...BASE, blockedTermsAction: 'mask' })).toBe(false);
  });
});
