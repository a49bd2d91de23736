/** The plain sentences of a verdict, for a moderator to act on. Never sees the text, so it cannot quote it. */
import { CATEGORY_WORDING, type Category } from './categories.js';

export interface Findings {
  readonly passed: boolean;
  readonly score: number;
  readonly band: string;
  readonly categories: readonly Category[];
  /** Those of the categories that fail a text by themselves. */
  readonly blocking: readonly Category[];
  readonly scoreTooHigh: boolean;
  readonly passMaxScore: number;
  /** Share of the text that the model could not read. */
  readonly unread: number;
}

export function describe(findings: Findings): string {
  const { band, score, categories, passed, unread } = findings;
  const found = categories.length === 0 ? 'nothing was detected' : `detected: ${wordingOf(categories)}`;
  const reason = passed ? passReason(findings) : failReason(findings);
  return `${band} (score ${score} of 10); ${found}${unread > MOSTLY ? UNREAD : ''}. ${reason}`;
}

const MOSTLY = 0.5;
/** What is not read cannot be detected: the score is that of the rest. */
const UNREAD = '; most of the text could not be read: it is in a script that the model does not know';

function passReason({ categories, passMaxScore }: Findings): string {
  return categories.length === 0
    ? 'Passed.'
    : `Passed, because the score is at most ${passMaxScore} and nothing detected is blocked.`;
}

function failReason({ scoreTooHigh, blocking, passMaxScore }: Findings): string {
  const reasons = [
    ...(scoreTooHigh ? [`the score is above ${passMaxScore}`] : []),
    ...(blocking.length > 0 ? [`${wordingOf(blocking)} ${blocking.length === 1 ? 'is' : 'are'} blocked`] : []),
  ];
  return `Failed, because ${reasons.join(' and ')}.`;
}

function wordingOf(categories: readonly Category[]): string {
  const words = categories.map((category) => CATEGORY_WORDING[category]);
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
