/** Talks to the admin API: adds the token, renews it once where another tab signed in anew, and words failures for people. */
import type { OpenedInvitation } from '../../people/people-schemas.js';
import type { SessionResponse } from '../../routes/admin-schemas.js';
import type { SignInWays } from '../../routes/sign-in-schemas.js';
import { setPerson } from './person.js';

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface ProblemBody {
  readonly code?: string;
  readonly detail?: string;
}

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

let csrfToken: string | null = null;
let onEnded = (): void => undefined;

/** @param listener called when the server says that the session has ended */
export function onSessionEnd(listener: () => void): void {
  onEnded = listener;
}

/** @throws ApiError */
export function get<Answer>(path: string): Promise<Answer> {
  return signedIn('GET', path);
}

/** @throws ApiError */
export function send<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
  return signedIn(method, path, body);
}

/** Goes out though the page is left at once; what becomes of it nobody is told. */
export function sendOnLeaving(path: string, body: object): void {
  void fetch(`/dashboard/api${path}`, {
    method: 'POST',
    keepalive: true,
    headers: { 'Content-Type': 'application/json', ...(csrfToken !== null && { 'X-CSRF-Token': csrfToken }) },
    body: JSON.stringify(body),
  }).catch(() => undefined);
}

/** @returns false where nobody is signed in. @throws ApiError */
export async function resume(): Promise<boolean> {
  try {
    enter(await request('GET', '/session'));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'sign_in_required') return false;
    throw error;
  }
}

interface Credentials {
  /** Undefined: the owner. */
  readonly name: string | undefined;
  readonly password: string;
  /** From a link of the command line, if the page was opened by one. */
  readonly pass: string | undefined;
}

/** @throws ApiError */
export async function signIn(credentials: Credentials): Promise<void> {
  enter(await request('POST', '/session', credentials));
}

/** @throws ApiError */
export function openInvitation(token: string): Promise<OpenedInvitation> {
  return request('POST', '/invitations/open', { token });
}

/** @throws ApiError */
export async function acceptInvitation(token: string, password: string): Promise<void> {
  enter(await request('POST', '/invitations/accept', { token, password }));
}

/** @throws ApiError */
export async function changePassword(current: string, password: string): Promise<void> {
  enter(await signedIn('PUT', '/account/password', { current, password }));
}

function enter(session: SessionResponse): void {
  ({ csrfToken } = session);
  setPerson(session);
}

/** @throws ApiError */
export function waysIn(): Promise<SignInWays> {
  return request('GET', '/sign-in-ways');
}

/** As whom the proxy in front names. @throws ApiError */
export async function signInByProxy(): Promise<void> {
  enter(await request('POST', '/session/header'));
}

async function signedIn<Answer>(method: 'GET' | Method, path: string, body?: object): Promise<Answer> {
  try {
    return await request<Answer>(method, path, body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'foreign_origin' && (await resume())) return request<Answer>(method, path, body);
    if (error.code === 'sign_in_required') onEnded();
    throw error;
  }
}

async function request<Answer>(method: 'GET' | Method, path: string, body?: object): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/dashboard/api${path}`, {
      method,
      headers: {
        ...(csrfToken !== null && { 'X-CSRF-Token': csrfToken }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError('unreachable', 'The service cannot be reached. Is it running?');
  }
  if (response.status === 204) return undefined as Answer;
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  const { code = 'unknown', detail = `The service answered ${response.status}.` } = answer as ProblemBody;
  const wait = response.headers.get('Retry-After');
  throw new ApiError(
    code,
    code === 'too_many_sign_ins' && wait !== null ? `Too many attempts. Try again in ${wait} s.` : detail,
  );
}
