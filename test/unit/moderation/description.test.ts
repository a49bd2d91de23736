/** What a moderator is told of a verdict, word for word. */
import { describe, expect, it } from 'vitest';
import { describe as sentenceOf, type Findings } from '../../../src/moderation/description.js';

const PASSED: Findings = {
  passed: true,
  score: 2,
  band: 'Safe',
  detected: [],
  blocking: [],
  scoreTooHigh: false,
  passMaxScore: 3,
  unreadable: undefined,
  unreadableFails: false,
  unreadTokens: 0,
};
const FAILED: Findings = { ...PASSED, passed: false };
const UNREADABLE: Findings = { ...FAILED, unreadable: 'script', unreadableFails: true };
const UNREAD = 'most of the text could not be read: it is in a script that the model does not know';

describe('the description of a verdict', () => {
  it.each<[string, Findings, string]>([
    ['nothing', PASSED, 'Safe (score 2 of 10); nothing was detected. Passed.'],
    [
      'one harmless category',
      { ...PASSED, detected: ['obscene'] },
      'Safe (score 2 of 10); detected: obscenity. Passed, because the score is at most 3 and nothing detected is blocked.',
    ],
    [
      'a score alone',
      { ...FAILED, score: 5, band: 'Moderate', scoreTooHigh: true },
      'Moderate (score 5 of 10); nothing was detected. Failed, because the score is above 3.',
    ],
    [
      'a blocked category alone',
      { ...FAILED, detected: ['spam', 'obscene'], blocking: ['spam'] },
      'Safe (score 2 of 10); detected: spam and obscenity. Failed, because spam is blocked.',
    ],
    [
      'a score and several categories',
      {
        ...FAILED,
        score: 9,
        band: 'Toxic',
        scoreTooHigh: true,
        detected: ['toxic', 'hate', 'threat'],
        blocking: ['hate', 'threat'],
      },
      'Toxic (score 9 of 10); detected: toxicity, hate against a group and threat. ' +
        'Failed, because the score is above 3 and hate against a group and threat are blocked.',
    ],
    [
      'hardly a known word',
      { ...PASSED, unreadTokens: 0.6 },
      'Safe (score 2 of 10); nothing was detected; most of the text could not be read: the model does not know its words or signs. Passed.',
    ],
    [
      'nothing in the part that could be read',
      { ...UNREADABLE, unreadTokens: 0.9 },
      `Unreadable (score 2 of 10 for what was read); nothing was detected; ${UNREAD}. Failed, because unreadable texts are held back.`,
    ],
    [
      'a language that the model does not know',
      { ...UNREADABLE, unreadable: 'language' },
      `Unreadable (score 2 of 10 for what was read); nothing was detected; ${UNREAD.replace('script', 'language')}. Failed, because unreadable texts are held back.`,
    ],
    [
      'much in the part that could be read',
      {
        ...UNREADABLE,
        score: 9,
        band: 'Toxic',
        scoreTooHigh: true,
        detected: ['toxic', 'threat'],
        blocking: ['threat'],
      },
      `Unreadable and Toxic (score 9 of 10 for what was read); detected: toxicity and threat; ${UNREAD}. ` +
        'Failed, because the score is above 3, threat is blocked and unreadable texts are held back.',
    ],
    [
      'an unreadable text that may pass',
      { ...UNREADABLE, passed: true, unreadableFails: false },
      `Unreadable (score 2 of 10 for what was read); nothing was detected; ${UNREAD}. Passed, because unreadable texts are let through.`,
    ],
    [
      'a harmless category in an unreadable text that may pass',
      { ...UNREADABLE, passed: true, unreadableFails: false, detected: ['obscene'] },
      `Unreadable (score 2 of 10 for what was read); detected: obscenity; ${UNREAD}. ` +
        'Passed, because the score is at most 3, nothing detected is blocked and unreadable texts are let through.',
    ],
  ])('gives the reason where there is %s', (_, findings, expected) => {
    expect(sentenceOf(findings)).toBe(expected);
  });
});
