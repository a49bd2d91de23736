/** What the reading thread can do: read a body against the schema of its route, and what of the dashboard's work grows with a text. */
import type { z } from 'zod';
import {
  acceptInvitationBody,
  accountBody,
  invitationBody,
  openInvitationBody,
  passwordBody,
  tokenBody,
} from '../dashboard/people/people-schemas.js';
import { labelImportBody } from '../dashboard/labelling/label-schemas.js';
import { keyBody, playgroundBody, projectBody, rotateBody, signInBody } from '../dashboard/routes/admin-schemas.js';
import type { PreviewSource } from '../dashboard/routes/admin-context.js';
import {
  MOST_PREVIEW_ROWS,
  policyBody,
  previewBody,
  restoreBody,
  termsBody,
  type TermsResponse,
  fitBody,
} from '../dashboard/routes/policy-schemas.js';
import { judgementBody, nextBody, releaseBody } from '../dashboard/routes/review-schemas.js';
import { webhookBody, webhookRotateBody } from '../dashboard/routes/webhook-schemas.js';
import { ServiceError } from '../errors.js';
import { readJson } from '../http/body/json-body.js';
import { complaint, readWith } from '../http/body/validation.js';
import { choicesBody, promptBody } from '../http/compat/guardrails/agentgateway-route.js';
import { coralBody } from '../http/compat/guardrails/coral-route.js';
import { difyBody } from '../http/compat/guardrails/dify-route.js';
import { liteLlmBody } from '../http/compat/guardrails/litellm-route.js';
import { portkeyBody } from '../http/compat/guardrails/portkey-route.js';
import { moderationBody } from '../http/compat/openai-schemas.js';
import { analyzeCommentBody, suggestScoreBody } from '../http/compat/perspective-schemas.js';
import { batchBody } from '../http/routes/batch-schemas.js';
import { appealBody } from '../http/routes/review-schemas.js';
import { analyzeBody } from '../http/routes/schemas.js';
import { labelsIn, type LabelFile } from '../labelling/label-file.js';
import { labelledTextsInCsv, type LabelledCsv } from '../policies/fitting/labelled-texts.js';
import { MOST_TERMS } from '../policies/policy-schema.js';
import { textsInCsv, textsInLines, type PreviewText } from '../policies/preview-texts.js';

/** What each route takes; the values that come of it are bounded by their schema, so that handing them over costs little. */
export const BODY_OF_ROUTE: Readonly<Record<string, z.ZodType<object>>> = {
  'POST /v1/analyze': analyzeBody,
  'POST /v1/analyze/batch': batchBody,
  'POST /v1/moderations': moderationBody,
  'POST /v1alpha1/comments::analyze': analyzeCommentBody,
  'POST /v1alpha1/comments::suggestscore': suggestScoreBody,
  'POST /beta/litellm_basic_guardrail_api': liteLlmBody,
  'POST /request': promptBody,
  'POST /response': choicesBody,
  'POST /v1/guardrails/coral/:keyId': coralBody,
  'POST /v1/guardrails/dify': difyBody,
  'POST /v1/guardrails/portkey': portkeyBody,
  'POST /dashboard/api/session': signInBody,
  'POST /dashboard/api/projects': projectBody,
  'PATCH /dashboard/api/projects/:id': projectBody,
  'POST /dashboard/api/keys': keyBody,
  'POST /dashboard/api/keys/:id/rotate': rotateBody,
  'POST /dashboard/api/playground': playgroundBody,
  'PUT /dashboard/api/projects/:id/policy': policyBody,
  'POST /dashboard/api/projects/:id/policy/restore': restoreBody,
  'POST /dashboard/api/projects/:id/policy/preview': previewBody,
  'POST /dashboard/api/projects/:id/policy/fit': fitBody,
  'POST /dashboard/api/policy-terms': termsBody,
  'PUT /dashboard/api/projects/:id/webhook': webhookBody,
  'POST /dashboard/api/projects/:id/webhook/rotate': webhookRotateBody,
  'PATCH /dashboard/api/accounts/:id': accountBody,
  'PUT /dashboard/api/account/password': passwordBody,
  'POST /dashboard/api/invitations': invitationBody,
  'POST /dashboard/api/invitations/open': openInvitationBody,
  'POST /dashboard/api/invitations/accept': acceptInvitationBody,
  'POST /dashboard/api/tokens': tokenBody,
  'POST /dashboard/api/reviews/next': nextBody,
  'POST /dashboard/api/reviews/release': releaseBody,
  'POST /dashboard/api/reviews/:id/judgement': judgementBody,
  'POST /dashboard/api/projects/:id/labels/import': labelImportBody,
  'POST /v1/decisions/:id/appeals': appealBody,
};

/** One piece of work, as it is sent to the thread. */
export type Job =
  | { readonly does: 'readBody'; readonly bytes: Uint8Array<ArrayBuffer>; readonly route: string }
  | { readonly does: 'normalise'; readonly text: string }
  | { readonly does: 'checkTerms'; readonly text: string }
  | ({ readonly does: 'previewTexts' } & PreviewSource)
  | { readonly does: 'labelledTexts'; readonly csv: LabelledCsv }
  | { readonly does: 'labels'; readonly file: LabelFile };

/** @throws ServiceError; StoreRefusal for lines or a CSV that cannot be understood */
export async function run(job: Job): Promise<unknown> {
  switch (job.does) {
    case 'readBody':
      return readBody(job.bytes, job.route);
    case 'normalise': {
      // Loaded where it is asked for: what reads bodies alone needs no word lists.
      const { normalise } = await import('../text/normalise.js');
      return normalise(job.text);
    }
    case 'checkTerms':
      return checkTerms(job.text);
    case 'previewTexts':
      return previewTexts(job);
    case 'labelledTexts':
      return labelledTextsInCsv({ ...job.csv, mostRows: MOST_PREVIEW_ROWS });
    case 'labels':
      return labelsIn(job.file);
  }
}

function readBody(bytes: Uint8Array, route: string): object | undefined {
  const schema = BODY_OF_ROUTE[route];
  const value = readJson(bytes, schema);
  if (schema === undefined) return undefined;
  const read = readWith(schema, value);
  if (!read.success) throw complaint(read.error, value);
  return read.data;
}

async function checkTerms(text: string): Promise<TermsResponse> {
  assertTermLines(text);
  const { parseTermList } = await import('../text/terms/term-list.js');
  const { terms, duplicates, unmatchable } = parseTermList(text);
  const found = [
    ...duplicates.map(({ line, firstLine }) => ({ line, message: `repeats line ${firstLine}` })),
    ...unmatchable.map(({ line, reason }) => ({ line, message: `can never match: it ${reason}` })),
  ];
  return { terms: terms.length, problems: found.sort((one, other) => one.line - other.line) };
}

/** Before any is read: a term takes some 0.1 ms. */
function assertTermLines(text: string): void {
  let terms = 0;
  for (const [line] of text.matchAll(/[^\r\n]+/gu)) {
    if (line.trim() !== '' && !line.trimStart().startsWith('#')) terms += 1;
    if (terms > MOST_TERMS) throw invalid('text', `has more than ${MOST_TERMS} terms: no list may have more`);
  }
}

function previewTexts({ lines, csv, textColumn }: PreviewSource): PreviewText[] {
  return csv === undefined
    ? textsInLines(lines ?? '', MOST_PREVIEW_ROWS)
    : textsInCsv(csv, { textColumn, mostRows: MOST_PREVIEW_ROWS });
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid_body', `${path} ${message}.`, { errors: [{ path, message }] });
}
