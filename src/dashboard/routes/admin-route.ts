/** What the routes of the admin API have in common in the API description. */
import type { ApiExtension } from '../../http/api-description.js';
import { problemResponse } from '../../http/routes/schemas.js';
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
import {
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
import { SESSION_COOKIE } from '../session/session-cookie.js';

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
