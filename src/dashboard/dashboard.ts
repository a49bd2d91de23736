/** The dashboard as a part of the HTTP server: the page under /dashboard, the admin API under /dashboard/api. */
import type { FastifyInstance } from 'fastify';
import type { AdminPasswordHash } from '../admin-password.js';
import type { Counter } from '../http/auth/rate-limit.js';
import type { HttpExtension } from '../http/http-server.js';
import type { RouteContext } from '../http/routes/route-context.js';
import { createAuditLog } from '../people/audit-log.js';
import { asking, type AdminContext, ADMIN_API } from './routes/admin-context.js';
import { auditing, refuseForeignOrigin, refuseUndeclared, requireSession } from './session/guard.js';
import { registerJudgingRoutes } from './routes/judging-routes.js';
import { registerKeyRoutes } from './routes/key-routes.js';
import { createKnownBrowsers } from './session/known-browsers.js';
import { registerPage } from './page-files.js';
import { registerOverviewRoutes } from './routes/overview-routes.js';
import { registerPolicyFitRoute } from './routes/policy-fit-route.js';
import { registerPolicyRoutes } from './routes/policy-routes.js';
import { registerProjectRoutes } from './routes/project-routes.js';
import { registerSessionRoutes, registerSignInRoute } from './routes/session-routes.js';
import { createSessions } from './session/sessions.js';
import { createSignIn } from './session/sign-in.js';

export interface DashboardDeps extends Pick<AdminContext, 'store' | 'policies' | 'settings' | 'reading'> {
  readonly passwordHash: AdminPasswordHash;
  /** Why what is kept could not be read or changed; for the log. */
  readonly onProblem?: (problem: string) => void;
  readonly now?: () => Date;
  /** Of attempts to sign in; absent: this process counts alone. */
  readonly attempts?: Counter | undefined;
  /** Where the built page lies; for tests. */
  readonly pageFolder?: URL;
}

export function createDashboard(deps: DashboardDeps): HttpExtension {
  const { now = () => new Date(), onProblem = () => undefined } = deps;

  async function register(app: FastifyInstance, routes: RouteContext): Promise<void> {
    const context: AdminContext = {
      ...routes,
      ...deps,
      sessions: createSessions(deps.store.sql, deps.passwordHash, now),
      signIn: createSignIn(deps),
      knownBrowsers: createKnownBrowsers(deps.passwordHash, now),
      now,
      askingKeys: asking('keys_unavailable', onProblem),
      askingPolicies: asking('policies_unavailable', onProblem),
      askingRecords: asking('records_unavailable', onProblem),
      audit: createAuditLog(deps.store.sql, now),
      onProblem,
    };
    app.decorateRequest('adminSession', null);
    app.decorateRequest('audited', null);
    await app.register(
      (page, _options, done) => {
        registerPage(page, deps.pageFolder ?? new URL('./page/', import.meta.url));
        done();
      },
      { prefix: '/dashboard' },
    );
    await app.register(
      async (api) => {
        api.addHook('onRequest', refuseForeignOrigin);
        registerSignInRoute(api, context);
        await api.register((guarded, _options, done) => {
          guarded.addHook('onRoute', refuseUndeclared);
          guarded.addHook('onRequest', requireSession(context));
          guarded.addHook('onSend', auditing(context));
          registerSessionRoutes(guarded, context);
          registerProjectRoutes(guarded, context);
          registerKeyRoutes(guarded, context);
          registerPolicyRoutes(guarded, context);
          registerPolicyFitRoute(guarded, context);
          registerJudgingRoutes(guarded, context);
          registerOverviewRoutes(guarded, context);
          done();
        });
      },
      { prefix: '/dashboard/api' },
    );
  }
  return {
    register,
    api: ADMIN_API,
    link: { path: 'dashboard', says: 'keys, policies, statistics and a place to try texts' },
  };
}
