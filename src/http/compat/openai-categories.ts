/** How labels of the model become the categories of OpenAI's moderation API (omni-moderation). docs/from-openai.md gives the reasons. */
import type { Label } from '../../labels.js';
import type { Analysis } from '../../moderation/analyzer.js';
import { CATEGORY_OF_LABEL, UNREADABLE } from '../../moderation/categories.js';

/** `any`: the strongest of the labels counts. `all`: each must be detected, and the weakest counts. */
type Source = { readonly any: readonly Label[] } | { readonly all: readonly Label[] };

/** Without a label nothing is known: such a category is never flagged, and no input was applied to it. */
const NO_LABEL: Source = { any: [] };

export const OPENAI_CATEGORIES = {
  harassment: { any: ['toxicity', 'insult'] },
  'harassment/threatening': { any: ['threat'] },
  hate: { any: ['identity_attack'] },
  'hate/threatening': { all: ['identity_attack', 'threat'] },
  illicit: NO_LABEL,
  'illicit/violent': NO_LABEL,
  'self-harm': { any: ['self_harm'] },
  'self-harm/instructions': NO_LABEL,
  'self-harm/intent': NO_LABEL,
  sexual: { any: ['sexual_explicit'] },
  'sexual/minors': NO_LABEL,
  violence: { any: ['threat'] },
  'violence/graphic': NO_LABEL,
} as const satisfies Record<string, Source>;
export type OpenAiCategory = keyof typeof OPENAI_CATEGORIES;

export interface CategoryJudgement {
  readonly category: OpenAiCategory;
  readonly flagged: boolean;
  /** 0 to 1 */
  readonly score: number;
  /** Whether the model has a label for it at all. */
  readonly known: boolean;
}

/** Every category, for texts that were sent as parts of one input: the worst part counts. */
export function judgeCategories(parts: readonly Analysis[]): CategoryJudgement[] {
  return Object.entries<Source>(OPENAI_CATEGORIES).map(([name, source]) => {
    const labels = 'any' in source ? source.any : source.all;
    return {
      category: name as OpenAiCategory,
      flagged: parts.some((part) => isFlagged(source, part)),
      score: Math.max(0, ...parts.map((part) => scoreOf(source, part))),
      known: labels.length > 0,
    };
  });
}

/**
 * Flagged without a category, where OpenAI has none for it: what cannot be read, unless such texts may pass, and what a project's own
 * policy fails for its score, for a term, or for a category of ours alone.
 */
export function failsWithoutCategory({ verdict, policy }: Analysis): boolean {
  return !verdict.passed && (policy.origin !== undefined || verdict.categories.includes(UNREADABLE));
}

/** Where a project has a policy, what that lets through is not flagged, whatever was detected in it. */
function isFlagged(source: Source, { verdict, policy }: Analysis): boolean {
  if (policy.origin !== undefined && verdict.passed) return false;
  const isDetected = (label: Label): boolean => verdict.categories.includes(CATEGORY_OF_LABEL[label]);
  return 'any' in source ? source.any.some(isDetected) : source.all.every(isDetected);
}

function scoreOf(source: Source, { probabilities }: Analysis): number {
  const of = (label: Label): number => probabilities.labels.get(label) ?? 0;
  return 'any' in source ? Math.max(0, ...source.any.map(of)) : Math.min(...source.all.map(of));
}
