/** Fitted thresholds on the page: only those that the texts can tell go into the unsaved policy, and the words say why the others do not. */
import { describe, expect, it } from 'vitest';
import { doubtsInWords } from '../../../src/dashboard/page/policies/threshold-fits.js';
import type { FitResponse } from '../../../src/dashboard/routes/policy-schemas.js';

const NONE = { count: 0, of: 0, share: null, interval: null };
const FEW = { count: 12, of: 1800, share: 12 / 1800, interval: [0.0034, 0.0116] as [number, number] };
const DETECTION = { falseAlarms: FEW, found: NONE };

const FIT: FitResponse = {
  version: 2,
  texts: 1803,
  leftOut: 0,
  falseAlarms: 0.01,
  categories: [
    {
      category: 'hate',
      action: 'fail',
      unlabelled: 3,
      before: DETECTION,
      after: { ...DETECTION, threshold: 0.62, doubts: ['too few labelled texts'] },
    },
    {
      category: 'insult',
      action: 'report',
      unlabelled: 0,
      before: DETECTION,
      after: { ...DETECTION, threshold: 0.9, doubts: ['too few harmless texts'] },
    },
    {
      category: 'spam',
      action: 'fail',
      unlabelled: 0,
      before: DETECTION,
      after: { ...DETECTION, threshold: null, doubts: [] },
    },
    {
      category: 'self_harm',
      action: 'fail',
      unlabelled: 1803,
      before: { falseAlarms: NONE, found: NONE },
      after: { falseAlarms: NONE, found: NONE, threshold: null, doubts: ['too few harmless texts'] },
    },
  ],
  failing: { before: DETECTION, after: DETECTION },
  scores: [],
  policy: { categories: { hate: { threshold: 0.62 } } },
  fitted: ['hate'],
};

describe('fitted thresholds', () => {
  it('say in words why one cannot tell, and how many texts it takes', () => {
    expect(doubtsInWords(FIT)).toEqual([
      'hate: left out 3 texts whose label says neither yes nor no.',
      'hate: too few texts that are labelled so to tell what is found: 0.',
      'insult: too few texts that are not labelled so to tell: 1,800, and about 800 are needed. Its threshold stays.',
      'spam: no threshold has so few false alarms. The present one stays.',
      'No label says anything of: self harm. What is not told stays as it is.',
    ]);
  });
});
