/** What the routes of the admin API work with, how refusals of the store are answered, and what they have in common in the API description. */
import {
  OperatorError,
  ServiceError,
  type ErrorCode,
  type FieldError,
  StoreRefusal,
  type RefusalReason,
} from '../../errors.js';
import type { RouteContext } from '../../http/routes/route-context.js';
import type { PolicySettings } from '../../moderation/verdict-policy.js';
import type { LabelledCsv, LabelledTexts } from '../../policies/fitting/labelled-texts.js';
import type { PoliciesInForce } from '../../policies/policies-in-force.js';
import { PolicyConflict } from '../../policies/policy-repository.js';
import type { PreviewText } from '../../policies/preview-texts.js';
import type { AuditLog } from '../../people/audit-log.js';
import type { Role } from '../../people/roles.js';
import type { Store } from '../../storage/store.js';
import type { KnownBrowsers } from '../session/known-browsers.js';
import type { Sessions } from '../session/sessions.js';
import type { SignIn } from '../session/sign-in.js';
import {
  type TermsResponse,
  historyResponse,
  policyBody,
  policyResponse,
  presetsResponse,
  previewBody,
  previewResponse,
  termsResponse,
  restoreBody,
  fitBody,
  fitResponse,
} from './policy-schemas.js';
import type { ApiExtension } from '../../http/api-description.js';
import { overviewResponse } from './overview-schemas.js';
import {
  createdKeyResponse,
  keyBody,
  keyListResponse,
  keySchema,
  playgroundBody,
  playgroundResponse,
  projectBody,
  projectListResponse,
  projectSchema,
  rotateBody,
  sessionResponse,
  signInBody,
} from './admin-schemas.js';
import { SESSION_COOKIE } from '../session/session-cookie.js';

/** Runs what asks a store. Other failures than refusals name files, so their message is for the log alone. */
export type Asking = <Result>(work: () => Promise<Result> | Result) => Promise<Result>;

/** Either lines or a CSV. */
export interface PreviewSource {
  readonly lines?: string | undefined;
  readonly csv?: string | undefined;
  readonly textColumn?: string | undefined;
}

/** What takes time that grows with a text: done on another thread. What is wrong with a text rejects with a ServiceError. */
export interface TextReading {
  readonly normalise: (text: string) => Promise<string>;
  readonly checkTerms: (text: string) => Promise<TermsResponse>;
  readonly previewTexts: (source: PreviewSource) => Promise<PreviewText[]>;
  readonly labelledTexts: (csv: LabelledCsv) => Promise<LabelledTexts>;
}

export interface AdminContext extends Pick<RouteContext, 'analyzer' | 'readyAnalyzer' | 'callerOf'> {
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly knownBrowsers: KnownBrowsers;
  readonly store: Store;
  readonly audit: AuditLog;
  readonly policies: PoliciesInForce;
  readonly settings: PolicySettings;
  readonly now: () => Date;
  readonly reading: TextReading;
  readonly askingKeys: Asking;
  readonly askingPolicies: Asking;
  /** Of what is kept of people and decisions. */
  readonly askingRecords: Asking;
  /** For the log. */
  readonly onProblem: (problem: string) => void;
}

const CODE_OF_REFUSAL: Readonly<Record<RefusalReason, ErrorCode>> = {
  unknown: 'not_found',
  conflict: 'conflict',
  invalid: 'invalid_body',
};

const UNAVAILABLE = {
  records_unavailable:
    'What is kept of people and decisions cannot be read or changed at the moment. The log says why.',
  keys_unavailable: 'Keys cannot be read or changed at the moment. The log says why.',
  policies_unavailable: 'Policies cannot be read or changed at the moment. The log says why.',
} as const;

export function asking(unavailable: keyof typeof UNAVAILABLE, onProblem: (problem: string) => void): Asking {
  return async (work) => {
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
  };
}

function changesOf({ changes }: PolicyConflict): FieldError[] {
  return changes.flatMap(({ version, at, by, changed = [] }) =>
    changed.map((path) => ({ path, message: `was changed in version ${version} by ${by} at ${at}` })),
  );
}

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

/** What a route needs: the least role of those who may use it, and for one that changes something its name in the audit log. */
export const may = (least: Role, audit?: string) => ({ least, audit });

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
