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
const UNREAD = 'Most of the text is in a script that the model does not know';

describe('the description of a verdict', () => {
  it.each<[string, Findings, string]>([
    ['nothing', PASSED, 'Passed: a score of 2 of 10 (Safe). Nothing was detected.'],
    [
      'one harmless category',
      { ...PASSED, detected: ['obscene'] },
      'Passed: a score of 2 of 10 (Safe, at most 3 passes). Detected, but not blocked: obscenity.',
    ],
    [
      'a score that passes above the Safe band',
      { ...PASSED, score: 5, band: 'Moderate', passMaxScore: 6, detected: ['toxic', 'insult'] },
      'Passed: a score of 5 of 10 (Moderate, at most 6 passes). Detected, but not blocked: toxicity and insult.',
    ],
    [
      'a policy by which no score fails',
      { ...PASSED, score: 9, band: 'Toxic', passMaxScore: 10, detected: ['toxic'] },
      'Passed: a score of 9 of 10 (Toxic, no score fails). Detected, but not blocked: toxicity.',
    ],
    [
      'something that the policy ignores',
      { ...PASSED, hasIgnored: true },
      'Passed: a score of 2 of 10 (Safe). Nothing was detected that the policy counts.',
    ],
    [
      'a score alone',
      { ...FAILED, score: 5, band: 'Moderate', scoreTooHigh: true, detected: ['toxic', 'insult'] },
      'Failed: a score of 5 of 10 (Moderate, at most 3 passes). Detected: toxicity and insult.',
    ],
    [
      'a score without any category',
      { ...FAILED, score: 5, band: 'Moderate', scoreTooHigh: true },
      'Failed: a score of 5 of 10 (Moderate, at most 3 passes).',
    ],
    [
      'a score whose categories the policy ignores',
      { ...FAILED, score: 5, band: 'Moderate', scoreTooHigh: true, hasIgnored: true },
      'Failed: a score of 5 of 10 (Moderate, at most 3 passes). Nothing was detected that the policy counts.',
    ],
    [
      'a score of the Safe band that the policy fails',
      { ...FAILED, score: 2, scoreTooHigh: true, passMaxScore: 1 },
      'Failed: a score of 2 of 10 (at most 1 passes).',
    ],
    [
      'a blocked category alone',
      { ...FAILED, detected: ['self_harm'], blocking: ['self_harm'] },
      'Failed: self-harm, whatever the score.',
    ],
    [
      'a blocked category beside another',
      { ...FAILED, detected: ['spam', 'obscene'], blocking: ['spam'] },
      'Failed: spam, whatever the score. Also detected: obscenity.',
    ],
    ['a blocked term alone', { ...FAILED, hasBlockedTerm: true }, 'Failed: a blocked term, whatever the score.'],
    [
      'a blocked term beside categories',
      { ...FAILED, hasBlockedTerm: true, detected: ['insult', 'spam'], blocking: ['spam'] },
      'Failed: a blocked term and spam, whatever the score. Also detected: insult.',
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
      'Failed: hate against a group, threat and a score of 9 of 10 (Toxic, at most 3 passes). Also detected: toxicity.',
    ],
    [
      'hardly a known word',
      { ...PASSED, unreadTokens: 0.6 },
      'Passed: a score of 2 of 10 (Safe). The model does not know most words or signs of the text; nothing was detected.',
    ],
    [
      'nothing in the part that could be read',
      { ...UNREADABLE, unreadTokens: 0.9 },
      `Failed: unreadable text. ${UNREAD}; nothing was detected in what was read.`,
    ],
    [
      'a language that the model does not know',
      { ...UNREADABLE, unreadable: 'language' },
      `Failed: unreadable text. ${UNREAD.replace('script', 'language')}; nothing was detected in what was read.`,
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
      'Failed: threat, a score of 9 of 10 for what was read (Toxic, at most 3 passes) and unreadable text. ' +
        `${UNREAD}; also detected: toxicity.`,
    ],
    [
      'a blocked category in an unreadable text that may pass',
      { ...UNREADABLE, unreadableFails: false, detected: ['spam'], blocking: ['spam'] },
      `Failed: spam, whatever the score. ${UNREAD}.`,
    ],
    [
      'an unreadable text that may pass',
      { ...UNREADABLE, passed: true, unreadableFails: false },
      `Passed: unreadable text is let through. ${UNREAD}; nothing was detected in what was read.`,
    ],
    [
      'a harmless category in an unreadable text that may pass',
      { ...UNREADABLE, passed: true, unreadableFails: false, detected: ['obscene'] },
      `Passed: unreadable text is let through. ${UNREAD}; detected, but not blocked: obscenity.`,
    ],
    [
      'a score above the Safe band in an unreadable text that may pass',
      { ...UNREADABLE, passed: true, unreadableFails: false, score: 5, band: 'Moderate', passMaxScore: 5 },
      'Passed: unreadable text is let through, with a score of 5 of 10 for what was read (Moderate, at most 5 passes). ' +
        `${UNREAD}; nothing was detected in what was read.`,
    ],
  ])('gives the reason first where there is %s', (_, findings, expected) => {
    expect(sentenceOf(findings)).toBe(expected);
  });
});
