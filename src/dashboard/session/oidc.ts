/**
 * Signing in with a provider of OpenID Connect: the authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, section 3.1).
 * Asks the provider nothing before somebody wants to sign in. Knows no accounts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as client from 'openid-client';
import { z } from 'zod';
import type { Role } from '../../people/roles.js';
import { SignInRefused, type Arrival } from './arrivals.js';
import { ATTEMPT_MS } from './session-cookie.js';

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  /** On the button. */
  readonly name: string;
  readonly scopes: string;
  readonly acceptsUnverifiedEmail: boolean;
  readonly roleClaim: string | undefined;
  /** Role by value of that claim, the highest first. */
  readonly roles: readonly (readonly [value: string, role: Role])[];
  readonly defaultRole: Role | undefined;
}

export interface OidcOptions {
  readonly settings: OidcSettings;
  /** Where people open the page, without a path. */
  readonly publicUrl: string;
  /** Of what the browser keeps meanwhile. */
  readonly signingKey: Buffer;
  readonly now: () => Date;
}

/** Where the provider sends people back to. */
const CALLBACK_PATH = '/dashboard/api/oidc/callback';

/** Of each question to the provider. */
const DEADLINE_SECONDS = 5;
/** What the provider says of itself counts for so long; a failure to ask it as well, so that nobody asks in vain more often. */
const KNOWN_MS = 60 * 60_000;
const AWAY_MS = 5000;

export interface Oidc {
  /**
   * @param returnTo address in the page
   * @returns the address of the provider, and what the browser keeps until it comes back
   * @throws SignInRefused
   */
  begin(returnTo: string): Promise<{ readonly address: string; readonly kept: string }>;
  /**
   * @param query as the provider sent the browser back with
   * @throws SignInRefused
   */
  finish(query: string, kept: string | undefined): Promise<{ readonly arrival: Arrival; readonly returnTo: string }>;
}

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  until: z.number(),
});
type Attempt = z.output<typeof attemptSchema>;

const claimsSchema = z.looseObject({
  sub: z.string().min(1),
  email: z.string().optional(),
  // Some send it as a text.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
});
type Claims = z.output<typeof claimsSchema>;

export function createOidc({ settings, publicUrl, signingKey, now }: OidcOptions): Oidc {
  const { issuer, clientId, clientSecret, scopes, roleClaim } = settings;
  const redirectUri = publicUrl + CALLBACK_PATH;
  let known: { readonly provider: Promise<client.Configuration>; until: number } | undefined;

  function provider(): Promise<client.Configuration> {
    if (known !== undefined && known.until > now().getTime()) return known.provider;
    const asked = client.discovery(
      new URL(issuer),
      clientId,
      clientSecret,
      clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret),
      {
        timeout: DEADLINE_SECONDS,
        execute: [
          client.enableNonRepudiationChecks,
          // Plain HTTP is on this machine alone: the settings see to that. Marked as deprecated only to be seen.
          // eslint-disable-next-line @typescript-eslint/no-deprecated
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    const entry = { provider: asked, until: now().getTime() + KNOWN_MS };
    known = entry;
    asked.catch(() => (entry.until = now().getTime() + AWAY_MS));
    return asked;
  }

  const signatureOf = (text: string): Buffer => createHmac('sha256', signingKey).update(`sign-in:${text}`).digest();

  function signed(attempt: Attempt): string {
    const text = Buffer.from(JSON.stringify(attempt)).toString('base64url');
    return `${text}.${signatureOf(text).toString('base64url')}`;
  }

  /** @throws SignInRefused of what is not ours, or expired */
  function attemptIn(kept = ''): Attempt {
    const [text = '', signature = ''] = kept.split('.');
    const [presented, right] = [Buffer.from(signature, 'base64url'), signatureOf(text)];
    if (presented.length !== right.length || !timingSafeEqual(presented, right)) throw new SignInRefused('stale');
    const attempt = attemptSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (attempt.until <= now().getTime()) throw new SignInRefused('stale');
    return attempt;
  }

  /** Of the ID token, and what it leaves out of what the provider tells otherwise. */
  async function claimsOf(configuration: client.Configuration, address: URL, attempt: Attempt): Promise<Claims> {
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
    });
    const claims = claimsSchema.parse(tokens.claims());
    const isWhole = claims.email !== undefined && (roleClaim === undefined || claims[roleClaim] !== undefined);
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return claimsSchema.parse({ ...more, ...claims });
  }

  function arrivalOf(claims: Claims): Arrival {
    const { sub, email, email_verified: isVerified } = claims;
    return {
      name: isVerified === true || settings.acceptsUnverifiedEmail ? email : undefined,
      identity: { issuer, subject: sub },
      ...(roleClaim !== undefined && { decided: { role: roleOf(claims[roleClaim]) ?? settings.defaultRole } }),
      newcomerRole: settings.defaultRole,
    };
  }

  function roleOf(claim: unknown): Role | undefined {
    const values = [claim].flat();
    return settings.roles.find(([value]) => values.includes(value))?.[1];
  }

  return {
    async begin(returnTo) {
      const configuration = await provider().catch((error: unknown) => {
        throw new SignInRefused('away', error);
      });
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        returnTo,
        until: now().getTime() + ATTEMPT_MS,
      };
      const { href } = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { address: href, kept: signed(attempt) };
    },

    async finish(query, kept) {
      const attempt = attemptIn(kept);
      const address = new URL(`${redirectUri}?${query}`);
      // Before anything is asked of the provider.
      if (address.searchParams.get('state') !== attempt.state) throw new SignInRefused('stale');
      try {
        const claims = await claimsOf(await provider(), address, attempt);
        return { arrival: arrivalOf(claims), returnTo: attempt.returnTo };
      } catch (error) {
        throw new SignInRefused(isAway(error) ? 'away' : 'declined', error);
      }
    },
  };
}

/** It could not be asked, or said itself that it cannot answer. */
function isAway(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.status >= 500;
  if (error instanceof TypeError) return true;
  if (!(error instanceof client.ClientError)) return false;
  return error.code === 'OAUTH_TIMEOUT' || (error.cause instanceof Response && error.cause.status >= 500);
}
