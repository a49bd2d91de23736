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
  expectSafeForBrowsers(answer);
  expect(problem.errors !== undefined).toBe(HAS_FIELD_ERRORS.includes(code));
  const mustWait = status === 429 || status === 503;
  expect(answer.headers['retry-after'] ?? '').toMatch(mustWait ? /^[1-9]\d*$/ : /^$/);
  return problem;
}

export const API_POLICY = "default-src 'none'; frame-ancestors 'none'";
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Asserts that an answer has the headers that a security review expects of a JSON API, and none that says what runs here. */
export function expectSafeForBrowsers({ headers }: Pick<Answer, 'headers'>): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect([API_POLICY, PAGE_POLICY]).toContain(headers['content-security-policy']);
  // HSTS must not be sent without TLS (RFC 6797, section 7.2).
  for (const name of ['server', 'x-powered-by', 'strict-transport-security']) expect(headers).not.toHaveProperty(name);
}

export function statusOf(answer: AnswerWithStatus): number {
  return 'status' in answer ? answer.status : answer.statusCode;
}
