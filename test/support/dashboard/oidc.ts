/** A real provider of OpenID Connect on this machine, where whoever comes is signed in at once as the person that the test names. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';
import type { SignInSettings } from '../../../src/dashboard/routes/admin-context.js';
import type { OidcSettings } from '../../../src/dashboard/session/oidc.js';
import { freePort } from '../servers/free-port.js';

export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in next. Undefined: they are refused. */
  person: Person | undefined;
  /** What a browser does at the provider. @returns the address that it is sent back to */
  visit(address: string): Promise<URL>;
  /** How many requests have come. */
  readonly requests: () => number;
  stop(): Promise<void>;
}

const CLIENT_ID = 'parapet';

/** Of a service that sends people there. */
export function signInSettingsOf(
  provider: Pick<OidcProvider, 'issuer' | 'clientId' | 'clientSecret'>,
  publicUrl: string,
  more: Partial<OidcSettings> = {},
): SignInSettings {
  const { issuer, clientId, clientSecret } = provider;
  const oidc = {
    ...{ issuer, clientId, clientSecret },
    name: 'Example',
    scopes: 'openid email',
    acceptsUnverifiedEmail: false,
    roleClaim: undefined,
    roles: [],
    defaultRole: undefined,
    ...more,
  };
  return { publicUrl, oidc, header: undefined, signOutUrl: undefined };
}

/** @param publicUrl of the service @param afterwards when it ends: by default with the test */
export async function startOidcProvider(
  publicUrl: string,
  afterwards: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<OidcProvider> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const clientSecret = ['PLANTED', 'client', 'secret+/%'].join('-');
  const people = new Map<string, Person>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/dashboard/api/oidc/callback`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    cookies: { keys: ['made up'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => people.get(sub) }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    jwks: {
      keys: [
        { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig' },
      ],
    },
  });
  const answer = provider.callback();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void (request.url?.startsWith('/interaction/') === true ? interact(request, response) : answer(request, response));
  });

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (self.person === undefined) {
      const refusal = { error: 'access_denied', error_description: 'PLANTED description' };
      await provider.interactionFinished(request, response, refusal);
    } else if (prompt.name === 'login') {
      people.set(self.person.sub, self.person);
      await provider.interactionFinished(request, response, { login: { accountId: self.person.sub } });
    } else {
      const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id });
      grant.addOIDCScope(params.scope);
      await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
    }
  }

  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const self: OidcProvider = {
    issuer,
    clientId: CLIENT_ID,
    clientSecret,
    person: undefined,
    requests: () => requests,
    async visit(address) {
      const cookies = new Map<string, string>();
      for (let at = new URL(address); ;) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const { status, headers } = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const each of headers.getSetCookie()) {
          const [name = '', value = ''] = each.split(';')[0]?.split(/=(.*)/s) ?? [];
          cookies.set(name, value);
        }
        const location = headers.get('location');
        if (location === null) throw new Error(`the provider answered ${status}`);
        at = new URL(location, at);
        if (at.origin !== issuer) return at;
      }
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  afterwards(() => self.stop());
  return self;
}
