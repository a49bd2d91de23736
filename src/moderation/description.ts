/** The plain sentences of a verdict, the reason first, for a moderator to act on. Never sees the text, so it cannot quote it. */
import { CATEGORY_WORDING, type LabelCategory } from './categories.js';

export interface Findings {
  readonly passed: boolean;
  readonly score: number;
  readonly band: string;
  readonly detected: readonly LabelCategory[];
  /** What of it fails a text by itself. */
  readonly blocking: readonly LabelCategory[];
  /** Whether something was detected that the policy does not want to be told. */
  readonly hasIgnored?: boolean;
  readonly hasBlockedTerm?: boolean;
  readonly scoreTooHigh: boolean;
  readonly passMaxScore: number;
  /** Of what the model does not know most of the text is. */
  readonly unreadable: 'script' | 'language' | undefined;
  readonly unreadableFails: boolean;
  /** Share of the tokens that the model does not know, of scripts that it knows as well. */
  readonly unreadTokens: number;
}

export function describe(findings: Findings): string {
  const outcome = findings.passed ? `Passed: ${passReason(findings)}.` : `Failed: ${failReason(findings)}.`;
  const remarks = [...unreadIn(findings), ...foundIn(findings)].join('; ');
  return remarks === '' ? outcome : `${outcome} ${remarks.charAt(0).toUpperCase()}${remarks.slice(1)}.`;
}

function failReason(findings: Findings): string {
  const named = [...(findings.hasBlockedTerm === true ? ['a blocked term'] : []), ...findings.blocking.map(wordingOf)];
  const reasons = [
    ...named,
    ...(findings.scoreTooHigh ? [scoreOf(findings)] : []),
    ...(findings.unreadableFails ? ['unreadable text'] : []),
  ];
  return `${listOf(reasons)}${named.length > 0 && !findings.scoreTooHigh ? ', whatever the score' : ''}`;
}

function passReason(findings: Findings): string {
  if (findings.unreadable === undefined) return scoreOf(findings);
  const letThrough = 'unreadable text is let through';
  return findings.band === 'Safe' ? letThrough : `${letThrough}, with ${scoreOf(findings)}`;
}

const HIGHEST_SCORE = 10;

/** A text that fails is not called safe, even where a policy lets fewer scores pass than that band has. */
function scoreOf({ passed, score, band, detected, passMaxScore, unreadable }: Findings): string {
  const isSafe = band === 'Safe';
  const limit = passMaxScore === HIGHEST_SCORE ? 'no score fails' : `at most ${passMaxScore} passes`;
  const remarks = [
    ...(passed || !isSafe ? [band] : []),
    ...(passed && isSafe && detected.length === 0 ? [] : [limit]),
  ].join(', ');
  return `a score of ${score} of 10${unreadable === undefined ? '' : ' for what was read'} (${remarks})`;
}

const MOSTLY = 0.5;

function unreadIn({ unreadable, unreadTokens }: Findings): string[] {
  if (unreadable !== undefined) return [`most of the text is in a ${unreadable} that the model does not know`];
  return unreadTokens > MOSTLY ? ['the model does not know most words or signs of the text'] : [];
}

/** What else a moderator should know of: a reason is not said twice. What is not read cannot be detected. */
function foundIn(findings: Findings): string[] {
  const { passed, detected, blocking, hasIgnored = false, hasBlockedTerm = false, unreadable } = findings;
  const others = listOf(detected.filter((category) => !blocking.includes(category)).map(wordingOf));
  if (others !== '') {
    if (passed) return [`detected, but not blocked: ${others}`];
    return [`${blocking.length > 0 || hasBlockedTerm ? 'also detected' : 'detected'}: ${others}`];
  }
  if (blocking.length > 0 || hasBlockedTerm) return [];
  if (hasIgnored) return ['nothing was detected that the policy counts'];
  return passed || !findings.scoreTooHigh
    ? [`nothing was detected${unreadable === undefined ? '' : ' in what was read'}`]
    : [];
}

function wordingOf(category: LabelCategory): string {
  return CATEGORY_WORDING[category];
}

function listOf(words: readonly string[]): string {
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
