/** What the routes of the admin API work with, and how refusals of the store are answered. */
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
import type { Store } from '../../storage/store.js';
import type { KnownBrowsers } from '../session/known-browsers.js';
import type { Sessions } from '../session/sessions.js';
import type { SignIn } from '../session/sign-in.js';
import type { TermsResponse } from './policy-schemas.js';

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
  readonly policies: PoliciesInForce;
  readonly settings: PolicySettings;
  readonly now: () => Date;
  readonly reading: TextReading;
  readonly askingKeys: Asking;
  readonly askingPolicies: Asking;
}

const CODE_OF_REFUSAL: Readonly<Record<RefusalReason, ErrorCode>> = {
  unknown: 'not_found',
  conflict: 'conflict',
  invalid: 'invalid_body',
};

const UNAVAILABLE = {
  keys_unavailable: 'The key file cannot be read or changed at the moment. The log says why.',
  policies_unavailable: 'The file of policies cannot be read or changed at the moment. The log says why.',
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
