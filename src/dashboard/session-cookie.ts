/** The cookie that carries a session: how it is set, cleared and read (RFC 6265). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ABSOLUTE_MS } from './sessions.js';

export const SESSION_COOKIE = 'parapet_session';

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, id: string): void {
  void reply.header('set-cookie', cookie(request, id, ABSOLUTE_MS / 1000));
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('set-cookie', cookie(request, '', 0));
}

export function sessionIdOf(request: FastifyRequest): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${SESSION_COOKIE}=`))?.slice(SESSION_COOKIE.length + 1);
}

/** `request.protocol` is "https" behind a proxy of TRUST_PROXY that says so: the service itself speaks plain HTTP. */
function cookie({ protocol }: FastifyRequest, value: string, maxAgeSeconds: number): string {
  const secure = protocol === 'https' ? '; Secure' : '';
  return `${SESSION_COOKIE}=${value}; Path=/dashboard; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
