/** Which paths answer errors in another API's shape, so that the clients of that API understand them. All others: problem details. */
import { pathOf, type ErrorFormat } from '../problem.js';
import { OPENAI_ERRORS } from './openai-error.js';
import { PERSPECTIVE_ERRORS } from './perspective-error.js';

export function errorFormatOf(url: string): ErrorFormat | undefined {
  const path = pathOf(url);
  if (path === '/v1/moderations' || path.startsWith('/v1/moderations/')) return OPENAI_ERRORS;
  if (path.startsWith('/v1alpha1/') || path.startsWith('/$discovery/')) return PERSPECTIVE_ERRORS;
  return undefined;
}
