/** The cookies of the dashboard, of the session, of a known browser and of a sign-in elsewhere: how they are set, cleared and read (RFC 6265). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ABSOLUTE_MS } from './sessions.js';

export const SESSION_COOKIE = 'parapet_session';
const BROWSER_COOKIE = 'parapet_browser';
const ATTEMPT_COOKIE = 'parapet_sign_in';

/** An operator who signs in twice a year stays known. */
export const BROWSER_KNOWN_MS = 180 * 24 * 3_600_000;

/** How long somebody may take at a provider of sign-ins. */
export const ATTEMPT_MS = 10 * 60_000;

/** Only signing in reads the other two, so they are sent nowhere else. From a provider the browser comes by a link of another site. */
const COOKIES = {
  [SESSION_COOKIE]: { path: '/dashboard', sameSite: 'Strict' },
  [BROWSER_COOKIE]: { path: '/dashboard/api/session', sameSite: 'Strict' },
  [ATTEMPT_COOKIE]: { path: '/dashboard/api/oidc', sameSite: 'Lax' },
} as const;
type CookieName = keyof typeof COOKIES;

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, id: string): void {
  setCookie(request, reply, SESSION_COOKIE, id, ABSOLUTE_MS);
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, SESSION_COOKIE, '', 0);
}

export function sessionIdOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, SESSION_COOKIE);
}

export function setBrowserCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  setCookie(request, reply, BROWSER_COOKIE, token, BROWSER_KNOWN_MS);
}

export function browserTokenOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, BROWSER_COOKIE);
}

/** @param kept see oidc.ts; undefined clears it */
export function setAttemptCookie(request: FastifyRequest, reply: FastifyReply, kept: string | undefined): void {
  setCookie(request, reply, ATTEMPT_COOKIE, kept ?? '', kept === undefined ? 0 : ATTEMPT_MS);
}

export function attemptOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, ATTEMPT_COOKIE);
}

function cookieOf(request: FastifyRequest, name: CookieName): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** `request.protocol` is "https" behind a proxy of TRUST_PROXY that says so: the service itself speaks plain HTTP. */
function setCookie(
  { protocol }: FastifyRequest,
  reply: FastifyReply,
  name: CookieName,
  value: string,
  maxAgeMs: number,
): void {
  const secure = protocol === 'https' ? '; Secure' : '';
  const { path, sameSite } = COOKIES[name];
  // Fastify adds a cookie to those that are set already.
  void reply.header(
    'set-cookie',
    `${name}=${value}; Path=${path}; Max-Age=${maxAgeMs / 1000}; HttpOnly; SameSite=${sameSite}${secure}`,
  );
}
