/** Turns the flags of `policies set` and `preview` into an edit of a policy. What is valid is for the store to say. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorCodeOf, OperatorError } from '../../errors.js';
import type { PolicyFields } from '../../policies/policy-schema.js';
import { wholeNumber } from '../command.js';

export const EDIT_OPTIONS = {
  preset: { type: 'string' },
  'pass-max-score': { type: 'string' },
  category: { type: 'string', multiple: true },
  unreadable: { type: 'string' },
  'blocked-terms': { type: 'string' },
  'review-scores': { type: 'string' },
  'second-reviews': { type: 'string' },
  keep: { type: 'string' },
  from: { type: 'string' },
  'base-version': { type: 'string' },
} as const;

interface EditFlags {
  readonly preset?: string | undefined;
  readonly 'pass-max-score'?: string | undefined;
  readonly category?: readonly string[] | undefined;
  readonly unreadable?: string | undefined;
  readonly 'blocked-terms'?: string | undefined;
  readonly 'review-scores'?: string | undefined;
  readonly 'second-reviews'?: string | undefined;
  readonly keep?: string | undefined;
  readonly from?: string | undefined;
  readonly 'base-version'?: string | undefined;
}

export interface Edit {
  readonly edit: (present: PolicyFields) => unknown;
  /** The version that it is made from, where that is known. */
  readonly base: number | undefined;
}

/** Leaves a field to the preset and the settings. */
const DEFAULT = 'default';

/** A policy alone, or as `show --json` prints it. */
const fileSchema = z.union([
  z.looseObject({ version: z.int().min(0).optional(), policy: z.looseObject({}) }),
  z.looseObject({}).transform((policy) => ({ version: undefined, policy })),
]);

/** @throws OperatorError that names the flag or file that is wrong */
export async function editFrom(flags: EditFlags, stdin: AsyncIterable<Buffer | string>): Promise<Edit> {
  const file = flags.from === undefined ? undefined : policyIn(flags.from, await textOf(flags.from, stdin));
  const rules = (flags.category ?? []).map(ruleIn);
  const review = reviewIn(flags);
  const { 'pass-max-score': passMaxScore, 'blocked-terms': blockedTerms } = flags;
  const changes = {
    ...(flags.preset !== undefined && { preset: flags.preset }),
    ...(passMaxScore !== undefined && {
      passMaxScore: passMaxScore === DEFAULT ? undefined : wholeNumber('--pass-max-score', passMaxScore),
    }),
    ...(flags.unreadable !== undefined && { unreadable: flags.unreadable === DEFAULT ? undefined : flags.unreadable }),
    ...(flags.keep !== undefined && { keep: keepOf(flags.keep) }),
    ...(blockedTerms !== undefined && { blockedTermsAction: blockedTerms === DEFAULT ? undefined : blockedTerms }),
  };
  if (file === undefined && rules.length === 0 && Object.keys({ ...changes, ...review }).length === 0) {
    throw new OperatorError('There is nothing to change: give a flag such as --preset or --category. See --help.');
  }
  const base =
    flags['base-version'] === undefined ? file?.version : wholeNumber('--base-version', flags['base-version']);
  return {
    base,
    edit: (present) => {
      const begin: Record<string, unknown> = file?.policy ?? present;
      return {
        ...begin,
        ...changes,
        ...(Object.keys(review).length > 0 && { review: { ...membersOf(begin.review), ...review } }),
        ...(rules.length > 0 && { categories: withRules(begin.categories, rules) }),
      };
    },
  };
}

/** The members of `review` that the flags change. */
function reviewIn({ 'review-scores': scores, 'second-reviews': share }: EditFlags): Record<string, unknown> {
  return {
    ...(scores !== undefined && { scores: scores === DEFAULT ? undefined : bandIn(scores) }),
    ...(share !== undefined && { secondReviews: share === DEFAULT ? undefined : Number(share) }),
  };
}

/** `none`, `verdicts:30`, `texts:30` or, with the member of metadata that is the reference, `texts:30:id`. */
function keepOf(flag: string): unknown {
  if (flag === 'none' || flag === DEFAULT) return undefined;
  const [, what, days, reference] = /^(verdicts|texts):(\d{1,4})(?::(.+))?$/.exec(flag) ?? [];
  if (what === undefined) {
    throw new OperatorError('--keep must be none, or like verdicts:30, texts:30 or texts:30:id.');
  }
  return { what, days: Number(days), ...(reference !== undefined && { reference }) };
}

interface Rule {
  readonly category: string;
  readonly fields: { readonly action?: string; readonly threshold?: number } | undefined;
}

/** None of what is no object. */
function membersOf(value: unknown): Record<string, unknown> {
  return { ...z.record(z.string(), z.unknown()).safeParse(value).data };
}

function withRules(present: unknown, rules: readonly Rule[]): Record<string, unknown> {
  const categories = membersOf(present);
  for (const { category, fields } of rules) {
    categories[category] = fields === undefined ? undefined : { ...membersOf(categories[category]), ...fields };
  }
  return categories;
}

/** `hate=fail:0.4`, `hate=fail`, `hate=:0.4` or `hate=default`. */
function ruleIn(flag: string): Rule {
  const match = /^([a-z_]+)=([a-z]*)(?::(\d(?:\.\d+)?|\.\d+))?$/.exec(flag);
  const [, category, action = '', threshold] = match ?? [];
  if (category === undefined || (action === '' && threshold === undefined)) {
    throw new OperatorError('--category must be like hate=fail:0.4, hate=report, hate=:0.4 or hate=default.');
  }
  if (action === DEFAULT) return { category, fields: undefined };
  return {
    category,
    fields: { ...(action !== '' && { action }), ...(threshold !== undefined && { threshold: Number(threshold) }) },
  };
}

/** `4-6` or `4`. */
function bandIn(flag: string): { from: number; to: number } {
  const [, from, to = from] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(flag) ?? [];
  if (from === undefined) throw new OperatorError('--review-scores must be like 4-6, 5 or default.');
  return { from: Number(from), to: Number(to) };
}

function policyIn(file: string, text: string): z.output<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError(`${file} holds no policy: it must be a JSON object.`, { cause: error });
  }
}

/** @param file `-` for standard input */
export async function textOf(file: string, stdin: AsyncIterable<Buffer | string>): Promise<string> {
  const bytes = file === '-' ? await bytesOf(stdin) : await fileBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new OperatorError(`${file} is not valid UTF-8.`, { cause: error });
  }
}

async function fileBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new OperatorError(`Cannot read ${file} (${errorCodeOf(error) ?? 'unknown'}).`, { cause: error });
  }
}

async function bytesOf(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
