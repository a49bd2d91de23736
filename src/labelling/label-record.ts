/** What people said of a text: in a review, by a caller's suggestion, or elsewhere. */
import type { LabelCategory } from '../moderation/categories.js';

export const LABEL_SOURCES = ['review', 'suggestion', 'import'] as const;
export type LabelSource = (typeof LABEL_SOURCES)[number];
/** Those that are kept as labels; what a review says is kept with its decision. */
export const KEPT_SOURCES = ['suggestion', 'import'] as const satisfies readonly LabelSource[];
export type KeptSource = (typeof KEPT_SOURCES)[number];

export type Truth = ReadonlyMap<LabelCategory, boolean>;

export interface GivenLabel {
  readonly text: string;
  readonly language: string | undefined;
  /** Undefined where nobody said so. */
  readonly shouldPass: boolean | undefined;
  /** Whether the text is of the category. Absent where nobody said so. */
  readonly truth: Truth;
}

export interface TextLabel extends GivenLabel {
  /** Of the decision, or of the label. */
  readonly id: string;
  readonly source: LabelSource;
  /** Milliseconds since 1970. */
  readonly at: number;
}
