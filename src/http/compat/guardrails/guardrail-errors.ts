/**
 * How errors reach the callers of guardrails, so that what could not be judged does not count as harmless: some take every error for a pass, and get
 * an answer that holds the text back. docs/integrations/guardrails.md has it in one table.
 */
import type { ErrorCode, ServiceError } from '../../../errors.js';
import { problemOf, type ErrorFormat } from '../../problem.js';

/** Errors of whoever sets the caller up: they have their own status everywhere, above all the 401 of a key that does not count. */
const OF_SETUP: readonly ErrorCode[] = [
  'unauthorized',
  'too_many_failures',
  'not_found',
  'method_not_allowed',
  'unsupported_media_type',
];

/** @param answerOf what holds the text back, from a sentence for people */
function heldBack(answerOf: (reason: string) => object): ErrorFormat {
  return {
    status: 200,
    contentType: 'application/json; charset=utf-8',
    covers: ({ code }) => !OF_SETUP.includes(code),
    bodyOf: (error, requestId) => ({ ...answerOf(notJudgedFor(error)), problem: problemOf(error, requestId) }),
  };
}

function notJudgedFor({ detail }: ServiceError): string {
  return `Not judged: ${detail}`;
}

/** It reads no status, and takes some objects of JSON for a pass whatever they hold; of what is no JSON it makes a failure. */
const AGENTGATEWAY: ErrorFormat = {
  contentType: 'text/plain; charset=utf-8',
  bodyOf: (error) => notJudgedFor(error),
};

/** By path, or its beginning. LiteLLM goes by the status: problem details do. */
const FORMATS: readonly (readonly [string, ErrorFormat])[] = [
  ['/request', AGENTGATEWAY],
  ['/response', AGENTGATEWAY],
  ['/v1/guardrails/coral', heldBack(() => ({ actions: [], status: 'PREMOD' }))],
  ['/v1/guardrails/dify', heldBack((reason) => ({ flagged: true, action: 'direct_output', preset_response: reason }))],
  ['/v1/guardrails/portkey', heldBack((reason) => ({ verdict: false, data: { reason } }))],
];

export function guardrailErrorsAt(path: string): ErrorFormat | undefined {
  return FORMATS.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
}
