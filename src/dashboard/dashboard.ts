/** The dashboard as a part of the HTTP server: the page under /dashboard, the admin API under /dashboard/api. */
import type { FastifyInstance } from 'fastify';
import type { AdminPasswordHash } from '../admin-password.js';
import { asking } from '../http/asking.js';
import type { HttpExtension } from '../http/http-server.js';
import type { RouteContext } from '../http/routes/route-context.js';
import { createAccounts } from '../people/accounts.js';
import { createAdminTokens } from '../people/admin-tokens.js';
import { createAuditLog } from '../people/audit-log.js';
import { createInvitations } from '../people/invitations.js';
import { type AdminContext, ADMIN_API } from './routes/admin-context.js';
import { auditing, refuseForeignOrigin, refuseUndeclared, requireSession } from './session/guard.js';
import { registerLabelRoutes } from './labelling/label-routes.js';
import { registerDecisionRoutes } from './routes/decision-routes.js';
import { registerJudgingRoutes } from './routes/judging-routes.js';
import { registerKeyRoutes } from './routes/key-routes.js';
import { createFailedSignIns } from './session/failed-sign-ins.js';
import { registerSignInWays } from './routes/sign-in-routes.js';
import { hashOfNobody } from './session/hash-of-nobody.js';
import { createKnownBrowsers } from './session/known-browsers.js';
import { registerAccountRoutes } from './people/account-routes.js';
import { registerAuditRoutes } from './people/audit-routes.js';
import { registerAcceptRoutes, registerInvitationRoutes } from './people/invitation-routes.js';
import { registerOwnAccountRoutes } from './people/own-account-routes.js';
import { registerTokenRoutes } from './people/token-routes.js';
import { registerPage } from './page-files.js';
import { registerOverviewRoutes } from './routes/overview/overview-routes.js';
import { registerPolicyFitRoute } from './routes/policy-fit-route.js';
import { registerPolicyRoutes } from './routes/policy-routes.js';
import { registerProjectRoutes } from './routes/project-routes.js';
import { registerReviewRoutes } from './routes/review-routes.js';
import { registerWebhookRoutes } from './routes/webhook-routes.js';
import { registerSessionRoutes, registerSignInRoute } from './routes/session-routes.js';
import type { Oidc } from './session/oidc.js';
import { createProxyHeader } from './session/proxy-header.js';
import { createSessions } from './session/sessions.js';
import { createSignIn } from './session/sign-in.js';

export interface DashboardDeps extends Pick<
  AdminContext,
  | 'store'
  | 'policies'
  | 'settings'
  | 'reading'
  | 'signInSettings'
  | 'attempts'
  | 'decisions'
  | 'reviews'
  | 'labels'
  | 'webhooks'
  | 'cipher'
> {
  /** Of the owner. */
  readonly passwordHash: AdminPasswordHash | undefined;
  /** As in TRUST_PROXY. */
  readonly trustedProxies: readonly string[];
  /** Why what is kept could not be read or changed; for the log. */
  readonly onProblem?: (problem: string) => void;
  readonly now?: () => Date;
  /** Where the built page lies; for tests. */
  readonly pageFolder?: URL;
}

export function createDashboard(deps: DashboardDeps): HttpExtension {
  const { now = () => new Date(), onProblem = () => undefined } = deps;

  /** Loaded only where it is on. */
  async function createOidc(signingKey: Buffer): Promise<Oidc | undefined> {
    const { oidc: settings, publicUrl } = deps.signInSettings;
    if (settings === undefined || publicUrl === undefined) return undefined;
    const oidc = await import('./session/oidc.js');
    return oidc.createOidc({ settings, publicUrl, signingKey, now });
  }

  async function register(app: FastifyInstance, routes: RouteContext): Promise<void> {
    const { sql } = deps.store;
    const passwordHash = deps.passwordHash ?? (await hashOfNobody(sql));
    const { header } = deps.signInSettings;
    const askingRecords = asking('records_unavailable', onProblem);
    const accounts = createAccounts(sql, now);
    const audit = createAuditLog(sql, now);
    const context: AdminContext = {
      ...routes,
      ...deps,
      accounts,
      invitations: createInvitations(sql, now),
      tokens: createAdminTokens(sql, now),
      sessions: createSessions(sql, passwordHash, now),
      signIn: createSignIn({
        ...deps,
        passwordHash,
        accountCalled: (name) => askingRecords(() => accounts.find({ name })),
        onWrongPassword: createFailedSignIns({ audit, now, onProblem }),
      }),
      knownBrowsers: createKnownBrowsers(passwordHash, now),
      hasPassword: deps.passwordHash !== undefined,
      oidc: await createOidc(passwordHash.hash),
      proxyHeader:
        header &&
        createProxyHeader({
          ...header,
          trustedProxies: deps.trustedProxies,
          onIgnored: () => app.log.warn({ header: header.name }, 'ignored: it did not come from TRUST_PROXY'),
        }),
      now,
      askingKeys: asking('keys_unavailable', onProblem),
      askingPolicies: asking('policies_unavailable', onProblem),
      askingRecords,
      audit,
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
        registerSignInWays(api, context);
        registerAcceptRoutes(api, context);
        await api.register((guarded, _options, done) => {
          guarded.addHook('onRoute', refuseUndeclared);
          guarded.addHook('onRequest', requireSession(context));
          guarded.addHook('onSend', auditing(context));
          registerSessionRoutes(guarded, context);
          registerOwnAccountRoutes(guarded, context);
          registerAccountRoutes(guarded, context);
          registerInvitationRoutes(guarded, context);
          registerTokenRoutes(guarded, context);
          registerAuditRoutes(guarded, context);
          registerProjectRoutes(guarded, context);
          registerKeyRoutes(guarded, context);
          registerPolicyRoutes(guarded, context);
          registerPolicyFitRoute(guarded, context);
          registerJudgingRoutes(guarded, context);
          registerDecisionRoutes(guarded, context);
          registerReviewRoutes(guarded, context);
          registerLabelRoutes(guarded, context);
          registerOverviewRoutes(guarded, context);
          registerWebhookRoutes(guarded, context);
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
