/** The cookies of the dashboard, the session's and that of a known browser: how they are set, cleared and read (RFC 6265). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ABSOLUTE_MS } from './sessions.js';

export const SESSION_COOKIE = 'parapet_session';
const BROWSER_COOKIE = 'parapet_browser';

/** An operator who signs in twice a year stays known. */
export const BROWSER_KNOWN_MS = 180 * 24 * 3_600_000;

/** Only signing in reads the cookie of a browser, so it is sent nowhere else. */
const PATHS = { [SESSION_COOKIE]: '/dashboard', [BROWSER_COOKIE]: '/dashboard/api/session' } as const;
type CookieName = keyof typeof PATHS;

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
  // Fastify adds a cookie to those that are set already.
  void reply.header(
    'set-cookie',
    `${name}=${value}; Path=${PATHS[name]}; Max-Age=${maxAgeMs / 1000}; HttpOnly; SameSite=Strict${secure}`,
  );
}
