/**
 * What a guard makes of texts: each may pass, is blocked, or comes back masked. All doors of guardrails are mappings on it; it knows none of their
 * formats.
 */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../../errors.js';
import type { Analysis, AnalyzeOptions, Analyzer } from '../../../moderation/analyzer.js';
import type { Category } from '../../../moderation/categories.js';
import { maskedText, masksAnything } from '../../../moderation/masking.js';
import type { RouteContext } from '../../routes/route-context.js';
import { analyzeBody, MAX_CONTENT_CHARACTERS } from '../../routes/schemas.js';

/** A conversation is sent whole with each of its turns. */
export const MAX_GUARDED_TEXTS = 1000;

/** Any length: what is too long to be judged is blocked, and said to be. Empty ones have nothing to judge. */
export const guardedText = z.string();

const MOST_LEVELS = 64;
/** It is handed from one thread to another, which takes the time of both. */
const MOST_VALUES = 20_000;

/** What is answered as it came, but for its texts. */
export const guardedJson = z.record(z.string(), z.unknown()).refine(isModest, {
  error: `must have at most ${MOST_VALUES} values, in at most ${MOST_LEVELS} levels`,
});

function isModest(json: unknown): boolean {
  let values = 0;
  const isWithin = (value: unknown, levels: number): boolean => {
    values += 1;
    if (values > MOST_VALUES || levels < 0) return false;
    return (
      typeof value !== 'object' || value === null || Object.values(value).every((each) => isWithin(each, levels - 1))
    );
  };
  return isWithin(json, MOST_LEVELS);
}

export interface Block {
  readonly action: 'block';
  /** The cause first. Never quotes the text. */
  readonly reason: string;
  /** Absent where nothing was judged. */
  readonly categories?: readonly Category[];
}

interface Passed {
  readonly action: 'pass';
  /** Where the policy masks something. */
  readonly unfinished?: number;
}

interface Masked {
  readonly action: 'mask';
  readonly text: string;
  readonly unfinished: number;
}

export type Outcome = Block | Passed | Masked;

export interface Guarded {
  /** Of each text. */
  readonly outcomes: readonly Outcome[];
  /** Why the request as a whole must not go through: the first reason. */
  readonly blocked: Block | undefined;
  /** All texts, where at least one is masked and none blocked. */
  readonly masked: readonly string[] | undefined;
  /**
   * Code points from the beginning of the last sentence of each text, as it comes back: of a text that goes on, what may have to be masked yet.
   * Absent where the policy masks nothing.
   */
  readonly unfinished: readonly number[] | undefined;
  /** What was let through unjudged, as the policy has it for what cannot be read. */
  readonly unjudged: string | undefined;
}

export interface GuardOptions {
  /** Of the body, that holds the texts. */
  readonly member: string;
  /** Whether the caller takes masked texts; without it, what is to be masked is blocked. */
  readonly masks?: boolean;
  /** What of the request is no text, as in `images`. */
  readonly unjudged?: string | undefined;
  /** For callers that take a late answer for a pass: earlier than other requests give up. */
  readonly withinMs?: number;
}

/** A body that says nothing to judge, where its schema cannot tell. */
export function invalidBody(path: string, message: string): ServiceError {
  return new ServiceError('invalid_body', `${path} ${message}.`, { errors: [{ path, message }] });
}

/** @throws ServiceError where a text cannot be judged now: nothing is let through then */
export async function guard(
  texts: readonly string[],
  context: RouteContext,
  reply: FastifyReply,
  { member, masks = true, unjudged, withinMs }: GuardOptions,
): Promise<Guarded> {
  const analyzer = context.readyAnalyzer(reply);
  await context.chargeTexts(reply, texts.filter((text) => text !== '').length, member);
  const { policy = analyzer.policy } = await context.callerOf(reply, { withinMs });
  const spans = masks && masksAnything(policy);
  const caller = await context.callerOf(reply, { policy, spans, withinMs });
  const outcomes = await context.concurrency.each(
    texts,
    async (text): Promise<Outcome> => {
      if (text === '') return PASS;
      if (!analyzeBody.shape.content.safeParse(text).success) return TOO_LONG;
      const analysis = await context.judge(text, reply, caller, { begunMs: reply.elapsedTime });
      if (!analysis.verdict.passed) return outcomeOf(text, analysis, analyzer, caller);
      return spans ? { action: 'pass', unfinished: lastSentence(text, analysis) } : PASS;
    },
    caller,
  );
  const unread = unjudged !== undefined && policy.unreadable === 'fail' ? notJudged(unjudged) : undefined;
  const blocked = outcomes.find((outcome) => outcome.action === 'block') ?? unread;
  const isMasked = blocked === undefined && outcomes.some(({ action }) => action === 'mask');
  return {
    outcomes,
    blocked,
    masked: isMasked
      ? outcomes.map((outcome, index) => (outcome.action === 'mask' ? outcome.text : (texts[index] ?? '')))
      : undefined,
    unfinished: spans ? outcomes.map(unfinishedIn) : undefined,
    unjudged: blocked === undefined ? unjudged : undefined,
  };
}

const PASS: Outcome = { action: 'pass' };
const TOO_LONG = notJudged(`a text of more than ${MAX_CONTENT_CHARACTERS} characters`);

/** Not judged is not safe, and is told as what it is. */
function notJudged(what: string): Block {
  return { action: 'block', reason: `Not judged: ${what}.` };
}

/** Of a text that fails: masked, where the rest of it passes. */
async function outcomeOf(
  text: string,
  analysis: Analysis,
  analyzer: Analyzer,
  caller: AnalyzeOptions,
): Promise<Outcome> {
  const { description: reason, categories } = analysis.verdict;
  const masked = caller.spans === true ? maskedText(text, analysis) : undefined;
  if (masked === undefined) return { action: 'block', reason, categories };
  const rest = await analyzer.analyze(masked, caller);
  return rest.verdict.passed
    ? { action: 'mask', text: masked, unfinished: lastSentence(masked, rest) }
    : { action: 'block', reason, categories };
}

function unfinishedIn(outcome: Outcome): number {
  return outcome.action === 'block' ? 0 : (outcome.unfinished ?? 0);
}

function lastSentence(text: string, analysis: Analysis): number {
  const last = analysis.inSegments('toxicity').at(-1);
  return last === undefined ? 0 : Array.from(text.slice(last.start)).length;
}
