/** What the service answers, as types. A test of this repository compares them with the schemas of the service. */

export type Category =
  /** The text holds a term that the policy of the project always fails. */
  | 'blocked_term'
  | 'toxic'
  | 'severe_toxic'
  | 'obscene'
  | 'threat'
  | 'insult'
  | 'hate'
  | 'sexual'
  | 'self_harm'
  | 'spam'
  /** Most of the text is in scripts that the model does not know: nothing is known of that part. */
  | 'unreadable';

export type Label =
  | 'toxicity'
  | 'severe_toxicity'
  | 'obscene'
  | 'threat'
  | 'insult'
  | 'identity_attack'
  | 'sexual_explicit'
  | 'self_harm'
  | 'spam';

export interface Verdict {
  /** False where the text is flagged. */
  passed: boolean;
  /** 0 (safe) to 10 (highly toxic). */
  score: number;
  sentiment: 'positive' | 'negative' | 'neutral' | 'toxic';
  /** For a moderator. Never quotes the text. */
  description: string;
  /** Strongest first; `blocked_term` comes before and `unreadable` after all others. */
  categories: Category[];
  processingTimeMs: number;
  /** Where they were asked for. */
  details?: Details | undefined;
}

export interface Details {
  model: string;
  band: 'Safe' | 'Moderate' | 'Toxic';
  /** Calibrated probabilities, 0 to 1. */
  labels: Partial<Record<Label, number>>;
  sentiment: Partial<Record<'positive' | 'negative' | 'neutral', number>>;
  /** A tag of BCP 47, or `other` for none that the model knows. Absent where it knows one language. */
  language?: string | undefined;
  /** There where the model is not yet good enough at this language to rely on. */
  languageExperimental?: true | undefined;
  /** Passages that carry what was detected; UTF-16 offsets, as those of JavaScript strings. */
  spans: { start: number; end: number; label: Label | 'blocked_term'; probability: number }[];
  windows: number;
  cached: boolean;
  /** That of the project: the preset that it begins from, and its version. Absent where the settings of the service apply. */
  policy?: { name: string; version: number } | undefined;
}

/** RFC 9457 problem details. Program against `code`; docs/errors.md of the service has all of them. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId: string;
  errors?: { path: string; message: string }[] | undefined;
}

export interface BatchItem {
  content: string;
  /** A name of yours, which comes back with the result. */
  id?: string;
  metadata?: Record<string, unknown>;
}

/** Has `verdict` where the item was judged, else `problem`. */
export type BatchResult = { id?: string | undefined; verdict: Verdict } | { id?: string | undefined; problem: Problem };
