/** The dashboard as a part of the HTTP server: the page under /dashboard, the admin API under /dashboard/api. */
import type { FastifyInstance } from 'fastify';
import type { AdminPasswordHash } from '../admin-password-hash.js';
import type { HttpExtension } from '../http/http-server.js';
import type { Store } from '../storage/store.js';
import { ADMIN_API } from './admin-route.js';
import { refuseForeignOrigin, requireSession } from './guard.js';
import { registerJudgingRoutes, type JudgingRoutesOptions } from './judging-routes.js';
import { registerKeyRoutes } from './key-routes.js';
import { createKnownBrowsers } from './known-browsers.js';
import { registerPage } from './page-files.js';
import { registerPolicyFitRoute } from './policy-fit-route.js';
import { registerPolicyRoutes } from './policy-routes.js';
import { registerProjectRoutes } from './project-routes.js';
import { registerSessionRoutes } from './session-routes.js';
import { createSessions } from './sessions.js';
import { createSignIn } from './sign-in.js';
import { registerTermRoutes } from './term-routes.js';

export interface DashboardDeps extends Pick<
  JudgingRoutesOptions,
  'analyzer' | 'policies' | 'settings' | 'answerTimeoutMs'
> {
  readonly passwordHash: AdminPasswordHash;
  readonly store: Store;
  /** Why what is kept could not be read or changed; for the log. */
  readonly onProblem?: (problem: string) => void;
  readonly now?: () => Date;
  /** A monotonic clock in milliseconds, for the limits of sign-in. */
  readonly monotonicMs?: () => number;
  /** Where the built page lies; for tests. */
  readonly pageFolder?: URL;
}

export function createDashboard(deps: DashboardDeps): HttpExtension {
  const { now = () => new Date(), onProblem = () => undefined } = deps;
  const sessions = createSessions(now);
  const signIn = createSignIn(deps);
  const knownBrowsers = createKnownBrowsers(deps.passwordHash, now);

  async function register(app: FastifyInstance): Promise<void> {
    app.decorateRequest('adminSession', null);
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
        registerSessionRoutes(api, { sessions, signIn, knownBrowsers });
        await api.register((guarded, _options, done) => {
          guarded.addHook('onRequest', requireSession(sessions));
          registerProjectRoutes(guarded, { projects: deps.store.projects, onProblem });
          registerKeyRoutes(guarded, { ...deps.store, onProblem, now });
          registerPolicyRoutes(guarded, { ...deps, onProblem });
          registerTermRoutes(guarded);
          registerPolicyFitRoute(guarded, { ...deps, onProblem });
          registerJudgingRoutes(guarded, { ...deps, onProblem, now });
          done();
        });
      },
      { prefix: '/dashboard/api' },
    );
  }
  return { register, api: ADMIN_API };
}
