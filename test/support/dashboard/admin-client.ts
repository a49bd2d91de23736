/** The admin API as the page uses it, through `inject`: signs in, then sends the cookie and the token with every request. */
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { sessionResponse } from '../../../src/dashboard/routes/admin-schemas.js';
import { ADMIN_PASSWORD } from '../http-service.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export function adminRequest(
  app: FastifyInstance,
  method: Method,
  path: string,
  options: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  return app.inject({ method, url: `/dashboard/api${path}`, ...options });
}

export interface AdminClient {
  /** `name=value`, as a browser sends it. */
  readonly cookie: string;
  readonly csrfToken: string;
  readonly get: (path: string) => Promise<LightMyRequestResponse>;
  readonly send: (method: Method, path: string, payload?: object) => Promise<LightMyRequestResponse>;
}

export async function signedIn(
  app: FastifyInstance,
  who: { readonly name?: string; readonly password: string } = { password: ADMIN_PASSWORD },
): Promise<AdminClient> {
  return clientOf(app, await adminRequest(app, 'POST', '/session', { payload: who }));
}

/** @param answer that has signed somebody in */
export function clientOf(app: FastifyInstance, answer: LightMyRequestResponse): AdminClient {
  if (answer.statusCode !== 200) throw new Error(`cannot sign in: ${answer.body}`);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const csrfToken = sessionResponse.parse(answer.json()).csrfToken ?? '';
  const headers = { cookie, 'x-csrf-token': csrfToken };
  return {
    cookie,
    csrfToken,
    get: (path) => adminRequest(app, 'GET', path, { headers: { cookie } }),
    send: (method, path, payload) =>
      adminRequest(app, method, path, { headers, ...(payload === undefined ? {} : { payload }) }),
  };
}
