/** How failures and refusals of what is kept are answered. */
import {
  OperatorError,
  ServiceError,
  type ErrorCode,
  type FieldError,
  StoreRefusal,
  type RefusalReason,
} from '../errors.js';
import { PolicyConflict } from '../policies/policy-repository.js';

/** Runs what asks a store. Other failures than refusals name files, so their message is for the log alone. */
export type Asking = <Result>(work: () => Promise<Result> | Result) => Promise<Result>;

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
