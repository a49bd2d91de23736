/** A viewer cannot do by any request what the page does not offer, nor can any role: every route of the admin API, as the app has it, with every role. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InjectOptions, RouteOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/people/accounts.js';
import { createAdminTokens } from '../../../src/people/admin-tokens.js';
import { isAtLeast, ROLES, type Role } from '../../../src/people/roles.js';
import type { SqlDatabase } from '../../../src/storage/sql/sql-database.js';
import { signedIn } from '../../support/dashboard/admin-client.js';
import { ADMIN_PASSWORD, adminPasswordHash, createHttpService } from '../../support/http-service.js';

const API = '/dashboard/api';
/** For those who are not signed in: they tell nothing but how one signs in, and what a password or an invitation opens. */
const OPEN = [
  `POST ${API}/session`,
  `GET ${API}/sign-in-ways`,
  `POST ${API}/invitations/open`,
  `POST ${API}/invitations/accept`,
];

interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly least: Role | undefined;
}

async function service() {
  const routes: AdminRoute[] = [];
  const onDashboardRoute = ({ method, url, config }: RouteOptions): void => {
    const { least } = (config ?? {}) as { least?: Role };
    for (const each of [method].flat()) {
      if (url.startsWith(API) && each !== 'HEAD') routes.push({ method: each as AdminRoute['method'], url, least });
    }
  };
  const served = await createHttpService({ dashboard: {}, onDashboardRoute });
  const accounts = createAccounts(served.records);
  const passwordHash = await adminPasswordHash();
  /** A request as somebody of this role sends it, by session or by token. */
  const requestOf = async (role: Role) => {
    const name = `${role}@example.com`;
    await accounts.create({ name, role, passwordHash }, 'owner');
    const { cookie, csrfToken } = await signedIn(served.app, { name, password: ADMIN_PASSWORD });
    return ({ method, url }: AdminRoute): InjectOptions => ({
      method,
      url: url.replaceAll(/:\w+/g, served.record.projectId),
      headers: { cookie, 'x-csrf-token': csrfToken },
      ...(method === 'GET' || method === 'DELETE' ? {} : { payload: {} }),
    });
  };
  return { ...served, routes, requestOf };
}

/** All that is kept, but when sessions and tokens were last used. */
async function kept(keysFile: string, records: SqlDatabase): Promise<unknown> {
  const folder = dirname(keysFile);
  const files = readdirSync(folder)
    .filter((name) => !name.startsWith('parapet.db') && statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  const tables = await records.read<{ name: string }>("select name from sqlite_master where type = 'table'");
  const rows = [];
  for (const { name } of tables) {
    const all = await records.read<{ usedAt?: number }>(`select * from ${name}`);
    rows.push([name, all.map((row) => ({ ...row, usedAt: undefined }))]);
  }
  return { files, rows };
}

describe('every route of the admin API', () => {
  it('says which role it is for, but those with which one signs in', async () => {
    const { routes } = await service();
    expect(routes.length).toBeGreaterThan(30);
    const undeclared = routes.filter(({ least }) => least === undefined).map(({ method, url }) => `${method} ${url}`);
    expect(undeclared.sort()).toEqual(OPEN.toSorted());
  });

  it.each(ROLES.filter((role) => role !== 'owner'))(
    'refuses a %s what is for a higher role, and changes nothing by it; what is for the role it does not refuse for it',
    async (role) => {
      const { app, routes, requestOf, keysFile, records } = await service();
      const request = await requestOf(role);
      const before = await kept(keysFile, records);
      const codeOf = async (route: AdminRoute): Promise<string> => {
        const answer = await app.inject(request(route));
        const isProblem = String(answer.headers['content-type']).startsWith('application/problem+json');
        return `${answer.statusCode} ${isProblem ? answer.json<{ code: string }>().code : ''}`;
      };
      const higher = routes.filter(({ least }) => least !== undefined && !isAtLeast(role, least));
      expect(higher.length).toBeGreaterThan(5);
      for (const route of higher) expect([route, await codeOf(route)]).toEqual([route, '403 role_too_low']);
      expect(await kept(keysFile, records)).toEqual(before);
      for (const route of routes.filter(({ least }) => least !== undefined && isAtLeast(role, least))) {
        // It would end the session that the others are asked with.
        if (route.method === 'DELETE' && route.url === `${API}/session`) continue;
        expect([route, await codeOf(route)]).not.toEqual([route, '403 role_too_low']);
      }
    },
  );

  it('refuses an admin token of a role what it refuses an account of it', async () => {
    const { app, routes, records } = await service();
    const { token } = await createAdminTokens(records).create(
      { name: 'ci', role: 'viewer', expiresInDays: 1 },
      'owner',
    );
    for (const { method, url, least } of routes.filter(({ least }) => least !== undefined && least !== 'viewer')) {
      const answer = await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } });
      expect([url, least, answer.json<{ code: string }>().code]).toEqual([url, least, 'role_too_low']);
    }
  });
});
