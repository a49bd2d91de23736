/** What a moderator is told of a verdict, word for word. */
import { describe, expect, it } from 'vitest';
import { describe as sentenceOf, type Findings } from '../../../src/moderation/description.js';

const PASSED: Findings = {
  passed: true,
  score: 2,
  band: 'Safe',
  categories: [],
  blocking: [],
  scoreTooHigh: false,
  passMaxScore: 3,
  unread: 0,
};
const FAILED: Findings = { ...PASSED, passed: false };

describe('the description of a verdict', () => {
  it.each<[string, Findings, string]>([
    ['nothing', PASSED, 'Safe (score 2 of 10); nothing was detected. Passed.'],
    [
      'one harmless category',
      { ...PASSED, categories: ['obscene'] },
      'Safe (score 2 of 10); detected: obscenity. Passed, because the score is at most 3 and nothing detected is blocked.',
    ],
    [
      'a score alone',
      { ...FAILED, score: 5, band: 'Moderate', scoreTooHigh: true },
      'Moderate (score 5 of 10); nothing was detected. Failed, because the score is above 3.',
    ],
    [
      'a blocked category alone',
      { ...FAILED, categories: ['spam', 'obscene'], blocking: ['spam'] },
      'Safe (score 2 of 10); detected: spam and obscenity. Failed, because spam is blocked.',
    ],
    [
      'a score and several categories',
      {
        ...FAILED,
        score: 9,
        band: 'Toxic',
        scoreTooHigh: true,
        categories: ['toxic', 'hate', 'threat'],
        blocking: ['hate', 'threat'],
      },
      'Toxic (score 9 of 10); detected: toxicity, hate against a group and threat. ' +
        'Failed, because the score is above 3 and hate against a group and threat are blocked.',
    ],
    [
      'nothing in what could be read of it',
      { ...PASSED, unread: 0.6 },
      'Safe (score 2 of 10); nothing was detected; most of the text could not be read: it is in a script that the model does not know. Passed.',
    ],
  ])('gives the reason where there is %s', (_, findings, expected) => {
    expect(sentenceOf(findings)).toBe(expected);
  });
});
