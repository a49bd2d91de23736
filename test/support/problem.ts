/** What every error answer must be, whatever went wrong: problem details (RFC 9457) as docs/errors.md promises them. */
import { expect } from 'vitest';
import { z } from 'zod';
import { ERROR_TABLE, type ErrorCode } from '../../src/errors.js';

/** The part of an answer that `inject` and a raw socket have in common. */
export interface Answer {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export type AnswerWithStatus = Answer & ({ readonly statusCode: number } | { readonly status: number });

/** Strict: a member that the contract does not name fails. */
const problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().min(1),
  code: z.string(),
  requestId: z.string().min(1),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string().min(1) })).optional(),
});

export type ProblemBody = z.output<typeof problemSchema>;

const HAS_FIELD_ERRORS: readonly string[] = ['invalid_body', 'content_too_long', 'invalid_query'];

/** Asserts everything that the contract says of an answer with this code. @returns the body */
export function expectProblem(answer: AnswerWithStatus, code: ErrorCode): ProblemBody {
  const { status, title } = ERROR_TABLE[code];
  const problem = problemSchema.parse(JSON.parse(answer.body));
  expect(problem).toMatchObject({ code, status, title, type: `urn:parapet:problem:${code}` });
  expect(statusOf(answer)).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers['x-request-id']).toBe(problem.requestId);
  expect(problem.errors !== undefined).toBe(HAS_FIELD_ERRORS.includes(code));
  const mustWait = status === 429 || status === 503;
  expect(answer.headers['retry-after'] ?? '').toMatch(mustWait ? /^[1-9]\d*$/ : /^$/);
  return problem;
}

export function statusOf(answer: AnswerWithStatus): number {
  return 'status' in answer ? answer.status : answer.statusCode;
}
