/** The plain sentences of a verdict, for a moderator to act on. Never sees the text, so it cannot quote it. */
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
  const reason = findings.passed ? passReason(findings) : failReason(findings);
  return `${headOf(findings)}; ${foundIn(findings)}. ${reason}`;
}

/** What is not read cannot be detected: where that is most of a text, the score is that of the rest. */
function headOf({ band, score, unreadable }: Findings): string {
  if (unreadable === undefined) return `${band} (score ${score} of 10)`;
  return `Unreadable${band === 'Safe' ? '' : ` and ${band}`} (score ${score} of 10 for what was read)`;
}

const MOSTLY = 0.5;
const MOSTLY_UNREAD = 'most of the text could not be read: ';
const OF_UNKNOWN_WORDS = `${MOSTLY_UNREAD}the model does not know its words or signs`;

function foundIn({ detected, hasIgnored = false, hasBlockedTerm = false, unreadable, unreadTokens }: Findings): string {
  const names = [...(hasBlockedTerm ? [BLOCKED_TERM_WORDING] : []), ...detected.map(wordingOf)];
  const nothing = hasIgnored ? 'nothing was detected that the policy counts' : 'nothing was detected';
  const found = names.length === 0 ? nothing : `detected: ${listOf(names)}`;
  if (unreadable !== undefined)
    return `${found}; ${MOSTLY_UNREAD}it is in a ${unreadable} that the model does not know`;
  return unreadTokens > MOSTLY ? `${found}; ${OF_UNKNOWN_WORDS}` : found;
}

function passReason({ detected, band, passMaxScore, unreadable }: Findings): string {
  const reasons = [
    ...(detected.length > 0 || band !== 'Safe' ? [scoreReason(passMaxScore), 'nothing detected is blocked'] : []),
    ...(unreadable !== undefined ? ['unreadable texts are let through'] : []),
  ];
  return reasons.length === 0 ? 'Passed.' : `Passed, because ${listOf(reasons)}.`;
}

const HIGHEST_SCORE = 10;

function scoreReason(passMaxScore: number): string {
  return passMaxScore === HIGHEST_SCORE ? 'no score fails a text' : `the score is at most ${passMaxScore}`;
}

function failReason({ scoreTooHigh, blocking, hasBlockedTerm, passMaxScore, unreadableFails }: Findings): string {
  const reasons = [
    ...(hasBlockedTerm === true ? ['it holds a term that is always blocked'] : []),
    ...(scoreTooHigh ? [`the score is above ${passMaxScore}`] : []),
    ...(blocking.length > 0
      ? [`${listOf(blocking.map(wordingOf))} ${blocking.length === 1 ? 'is' : 'are'} blocked`]
      : []),
    ...(unreadableFails ? ['unreadable texts are held back'] : []),
  ];
  return `Failed, because ${listOf(reasons)}.`;
}

const BLOCKED_TERM_WORDING = 'blocked term';

function wordingOf(category: LabelCategory): string {
  return CATEGORY_WORDING[category];
}

function listOf(words: readonly string[]): string {
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
