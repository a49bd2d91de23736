/** How people sign in to the dashboard who have an account elsewhere: with a provider of OpenID Connect, or at a proxy. */
import { z } from 'zod';
import { isAtLeast, ROLES } from '../people/roles.js';
import { setting, type Setting } from './setting.js';

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** HTTPS, but on this machine. */
function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, search, hash } = new URL(value);
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.has(hostname));
  return isPrivate && username === '' && search === '' && hash === '';
}

const optional = (value: string): string | undefined => (value === '' ? undefined : value);

const role = z.enum(['none', ...ROLES], `must be one of: none, ${ROLES.join(', ')}`);
const roleOrNone = role.transform((value) => (value === 'none' ? undefined : value));

const roleOfValue = z.tuple([z.string().min(1), z.enum(ROLES)]);

/** Empty means unset. The table in docs/sign-in.md is tested against this object. */
export const SIGN_IN_SETTINGS = {
  PUBLIC_URL: setting({
    schema: z
      .string()
      .refine(
        (value) => value === '' || (isSafeAddress(value) && new URL(value).pathname === '/'),
        'must be the address that people open, such as https://moderation.example, without a path; http:// on this machine alone',
      )
      .transform((value) => (value === '' ? undefined : new URL(value).origin)),
    default: '',
    meaning: 'Address by which people reach the service. The provider sends them back there.',
  }),
  OIDC_ISSUER: setting({
    schema: z
      .string()
      .refine(
        (value) => value === '' || isSafeAddress(value),
        'must be the address of the provider, such as https://id.example/realms/team; http:// on this machine alone',
      )
      .transform(optional),
    default: '',
    meaning: 'Provider of OpenID Connect. Turns signing in with it on; `OIDC_CLIENT_ID` and `PUBLIC_URL` must be set.',
  }),
  OIDC_CLIENT_ID: setting({
    schema: z.string().transform(optional),
    default: '',
    meaning: 'What the provider calls this service.',
  }),
  OIDC_CLIENT_SECRET: setting({
    schema: z.string().transform(optional),
    default: '',
    secret: true,
    meaning:
      'Secret that the provider made for it, sent by `client_secret_basic`; unset for a public client. `OIDC_CLIENT_SECRET_FILE` is a file that holds it.',
  }),
  OIDC_NAME: setting({
    schema: z.string().max(40, 'must be at most 40 characters'),
    default: 'single sign-on',
    meaning: 'What follows “Sign in with” on the button.',
  }),
  OIDC_SCOPES: setting({
    schema: z
      .string()
      .regex(/^[\x21\x23-\x5B\x5D-\x7E ]+$/, 'must be names separated by spaces')
      .refine((value) => value.split(' ').includes('openid'), 'must contain openid'),
    default: 'openid email',
    meaning: 'What the provider is asked for. Some tell groups only where a scope asks for them.',
  }),
  OIDC_UNVERIFIED_EMAIL: setting({
    schema: z.enum(['refuse', 'accept'], 'must be one of: refuse, accept').transform((value) => value === 'accept'),
    default: 'refuse',
    meaning:
      'Whether an address counts that the provider does not call verified. `accept` only where people cannot set their address themselves.',
  }),
  OIDC_ROLE_CLAIM: setting({
    schema: z.string().transform(optional),
    default: '',
    meaning: 'Claim that says who may do what, such as `groups`. With it the provider decides at every sign-in.',
  }),
  OIDC_ROLES: setting({
    schema: z
      .string()
      .transform((value) => (value === '' ? [] : value.split(',').map((each) => splitAtLast(each, '='))))
      .refine(
        (pairs) => pairs.every((pair) => roleOfValue.safeParse(pair).success),
        `must be such as moderators=reviewer,admins=owner with the roles ${ROLES.join(', ')}`,
      )
      .pipe(z.array(roleOfValue)),
    default: '',
    meaning: 'Role by value of that claim, as in `moderators=reviewer,admins=owner`. The highest one counts.',
  }),
  OIDC_DEFAULT_ROLE: setting({
    schema: roleOrNone,
    default: 'none',
    meaning: 'Role of those whom nothing else gives one. `none`: only accounts that an owner made may enter.',
  }),
  SIGN_IN_HEADER: setting({
    schema: z
      .string()
      .regex(/^[A-Za-z0-9-]*$/, 'must be the name of a header, such as Remote-User')
      .transform((value) => optional(value.toLowerCase())),
    default: '',
    meaning: 'Header in which a proxy of `TRUST_PROXY` names who has signed in there. From others it is ignored.',
  }),
  SIGN_IN_HEADER_ROLE: setting({
    schema: roleOrNone,
    default: 'none',
    meaning: 'Role of those who come so without an account. `none`: only accounts that an owner made may enter.',
  }),
  SIGN_OUT_URL: setting({
    schema: z
      .string()
      .refine(
        (value) => value === '' || value.startsWith('/') || isSafeAddress(value.split('?')[0] ?? ''),
        'must be an address or a path, such as /oauth2/sign_out',
      )
      .transform(optional),
    default: '',
    meaning: 'Where the page goes after signing out: to the sign-out of the proxy or provider.',
  }),
} satisfies Record<string, Setting<z.ZodType>>;

type Values = {
  readonly [Name in keyof typeof SIGN_IN_SETTINGS]: z.output<(typeof SIGN_IN_SETTINGS)[Name]['schema']>;
};

export function signInConfigOf(values: Values) {
  const { PUBLIC_URL: publicUrl, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, SIGN_IN_HEADER: header } = values;
  return {
    publicUrl,
    oidc:
      issuer === undefined || clientId === undefined
        ? undefined
        : {
            issuer,
            clientId,
            clientSecret: values.OIDC_CLIENT_SECRET,
            name: values.OIDC_NAME,
            scopes: values.OIDC_SCOPES,
            acceptsUnverifiedEmail: values.OIDC_UNVERIFIED_EMAIL,
            roleClaim: values.OIDC_ROLE_CLAIM,
            /** The highest first. */
            roles: values.OIDC_ROLES.toSorted(([, one], [, other]) => (isAtLeast(one, other) ? -1 : 1)),
            defaultRole: values.OIDC_DEFAULT_ROLE,
          },
    /** Its name in lower case. */
    header: header === undefined ? undefined : { name: header, defaultRole: values.SIGN_IN_HEADER_ROLE },
    signOutUrl: values.SIGN_OUT_URL,
  };
}

/** @returns what contradicts each other, a line each */
export function signInContradictions(values: Values & { readonly TRUST_PROXY: readonly string[] }): string[] {
  const wrong: string[] = [];
  const isOidc = values.OIDC_ISSUER !== undefined;
  for (const name of ['OIDC_CLIENT_ID', 'PUBLIC_URL'] as const) {
    if (isOidc && values[name] === undefined) wrong.push(`${name}="": must be set where OIDC_ISSUER is`);
  }
  if (values.SIGN_IN_HEADER !== undefined && values.TRUST_PROXY.length === 0) {
    wrong.push('TRUST_PROXY="off": must name the proxies that are believed about SIGN_IN_HEADER');
  }
  if ((values.OIDC_ROLE_CLAIM === undefined) !== (values.OIDC_ROLES.length === 0)) {
    wrong.push('OIDC_ROLES: must be set where OIDC_ROLE_CLAIM is, and only there');
  }
  return wrong;
}

/** Names of groups may hold the sign themselves. */
function splitAtLast(text: string, sign: string): string[] {
  const at = text.lastIndexOf(sign);
  return at === -1 ? [text] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
