/** What the routes of the admin API have in common: their place in the API description, and how refusals of the store are answered. */
import { OperatorError, ServiceError, type ErrorCode, type FieldError } from '../errors.js';
import type { ApiExtension } from '../http/api-description.js';
import { problemResponse } from '../http/schemas.js';
import { StoreRefusal, type RefusalReason } from '../keys/refusal.js';
import { PolicyConflict } from '../policies/policy-repository.js';
import {
  createdKeyResponse,
  keyBody,
  keyListResponse,
  keySchema,
  overviewResponse,
  playgroundBody,
  playgroundResponse,
  projectBody,
  projectListResponse,
  projectSchema,
  rotateBody,
  sessionResponse,
  signInBody,
} from './admin-schemas.js';
import { fitBody, fitResponse } from './policy-fit-schemas.js';
import {
  historyResponse,
  policyBody,
  policyResponse,
  presetsResponse,
  previewBody,
  previewResponse,
  termsResponse,
  restoreBody,
} from './policy-schemas.js';
import { SESSION_COOKIE } from './session-cookie.js';

export const ADMIN_API: ApiExtension = {
  tag: { name: 'dashboard', description: 'What the page /dashboard is made of. Takes a session, never an API key.' },
  securitySchemes: {
    AdminSession: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
    CsrfToken: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
  },
  requestShapes: {
    SignInRequest: signInBody,
    ProjectRequest: projectBody,
    KeyRequest: keyBody,
    RotateRequest: rotateBody,
    PlaygroundRequest: playgroundBody,
    PolicyRequest: policyBody,
    PolicyRestoreRequest: restoreBody,
    PolicyPreviewRequest: previewBody,
    PolicyFitRequest: fitBody,
  },
  responseShapes: {
    Session: sessionResponse,
    Project: projectSchema,
    ProjectList: projectListResponse,
    Key: keySchema,
    KeyList: keyListResponse,
    CreatedKey: createdKeyResponse,
    Playground: playgroundResponse,
    Policy: policyResponse,
    PolicyHistory: historyResponse,
    PolicyPresets: presetsResponse,
    PolicyPreview: previewResponse,
    TermListCheck: termsResponse,
    PolicyFit: fitResponse,
    Overview: overviewResponse,
  },
};

const TAGS = [ADMIN_API.tag.name];

/** For routes that only look. */
export const reading = (summary: string) => ({ summary, tags: TAGS, security: [{ AdminSession: [] }] });
/** For routes that change something, or cost work. */
export const changing = (summary: string) => ({
  summary,
  tags: TAGS,
  security: [{ AdminSession: [], CsrfToken: [] }],
});
/** For signing in. */
export const open = (summary: string) => ({ summary, tags: TAGS });

export function problems(...statuses: readonly number[]) {
  return Object.fromEntries(statuses.map((status) => [status, problemResponse]));
}

const CODE_OF_REFUSAL: Readonly<Record<RefusalReason, ErrorCode>> = {
  unknown: 'not_found',
  conflict: 'conflict',
  invalid: 'invalid_body',
};

/** Runs what asks the store. Other failures than refusals name files, so their message is for the log alone. */
export async function answering<Result>(
  work: () => Promise<Result> | Result,
  onProblem: (problem: string) => void,
  unavailable: keyof typeof UNAVAILABLE = 'keys_unavailable',
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreRefusal) {
      throw new ServiceError(CODE_OF_REFUSAL[error.reason], error.message, {
        cause: error,
        ...(error instanceof PolicyConflict && { errors: changesOf(error) }),
      });
    }
    if (!(error instanceof OperatorError)) throw error;
    onProblem(error.message);
    throw new ServiceError(unavailable, UNAVAILABLE[unavailable], { retryAfterSeconds: 5, cause: error });
  }
}

const UNAVAILABLE = {
  keys_unavailable: 'The key file cannot be read or changed at the moment. The log says why.',
  policies_unavailable: 'The file of policies cannot be read or changed at the moment. The log says why.',
} as const;

function changesOf({ changes }: PolicyConflict): FieldError[] {
  return changes.flatMap(({ version, at, by, fields }) =>
    fields.map((path) => ({ path, message: `was changed in version ${version} by ${by} at ${at}` })),
  );
}
