/** What a judge of texts is, in process or over HTTP, and which texts are refused before either is asked. */
import { MAX_CONTENT_CHARACTERS } from 'parapet/engine';

/** Probabilities per name, rounded to the six decimals that the service sends, so that both judges give equal figures. */
export type Probabilities = Readonly<Record<string, number>>;

export interface Judgement {
  /** 0 (safe) to 10 (highly toxic). */
  readonly score: number;
  readonly passed: boolean;
  readonly sentiment: string;
  readonly categories: readonly string[];
  /** Whether one of the categories fails the text at any score (`BLOCK_CATEGORIES`, `UNREADABLE`); `undefined` where the settings are not known. */
  readonly blocked?: boolean;
  readonly labels: Probabilities;
  readonly sentiments: Probabilities;
  /** Model and version, as in `id@version`. */
  readonly model: string;
}

/** A text that cannot be judged, with the error code of the API. */
export interface Refusal {
  readonly error: string;
}

export interface Judge {
  /** For the report: where the judging happened. */
  readonly description: string;
  /** Most texts that may be in flight at a time. */
  readonly concurrency: number;
  /** @throws OperatorError or ServiceError when no judgement can be had at all; one is never invented */
  judge(text: string): Promise<Judgement | Refusal>;
  close(): Promise<void>;
}

/** The rule of the API itself, asked by both judges: `invalid_body` for an empty text, `content_too_long` beyond 10,000 characters. */
export function refusalOf(text: string): Refusal | undefined {
  if (text === '') return { error: 'invalid_body' };
  return Array.from(text).length > MAX_CONTENT_CHARACTERS ? { error: 'content_too_long' } : undefined;
}
