/** Which account somebody gets who has signed in elsewhere: with a provider, or at a proxy. Knows no protocol. */
import { ServiceError, type ErrorCode } from '../../errors.js';
import type { Account, Accounts } from '../../people/accounts.js';
import type { Invitations } from '../../people/invitations.js';
import type { Role } from '../../people/roles.js';
import { REFUSALS, type Refusal } from './refusals.js';

const ANSWERS: Partial<Record<Refusal, { readonly code: ErrorCode; readonly retryAfterSeconds?: number }>> = {
  away: { code: 'provider_unavailable', retryAfterSeconds: 10 },
  often: { code: 'too_many_sign_ins', retryAfterSeconds: 60 },
};

export class SignInRefused extends ServiceError {
  constructor(
    readonly reason: Refusal,
    cause?: unknown,
  ) {
    const { code, retryAfterSeconds } = ANSWERS[reason] ?? { code: 'sign_in_refused' };
    super(code, REFUSALS[reason], { cause, ...(retryAfterSeconds && { retryAfterSeconds }) });
  }
}

/** Who the provider or the proxy says it is. */
export interface Arrival {
  /** What an account would be called. Undefined: it is not known for sure. */
  readonly name: string | undefined;
  /** What the provider calls somebody, for good. Proxies know names alone. */
  readonly identity?: { readonly issuer: string; readonly subject: string };
  /** What they may do, where that is for the provider to say; undefined in it: nothing. */
  readonly decided?: { readonly role: Role | undefined };
  /** Of those who have no account yet. Undefined: they need one. */
  readonly newcomerRole: Role | undefined;
}

interface ArrivalDeps {
  readonly accounts: Accounts;
  readonly invitations: Invitations;
  readonly now: () => Date;
}

/**
 * An invitation counts as the account that it would make.
 *
 * Links the account of that name to the provider's identity at the first sign-in; after it only that identity gets in by the provider.
 *
 * @param by who makes an account that is missing, as the log names it
 * @throws SignInRefused; OperatorError where the database does not answer
 */
export async function admit(
  { accounts, invitations, now }: ArrivalDeps,
  { name, identity, decided, newcomerRole }: Arrival,
  by: string,
): Promise<Account> {
  const subject = identity && `${identity.issuer} ${identity.subject}`;
  const linked = subject === undefined ? undefined : await accounts.find({ subject });
  const account = linked ?? (name === undefined ? undefined : await accounts.find({ name }));
  if (account?.disabledAt !== undefined) throw new SignInRefused('disabled');
  if (decided !== undefined && decided.role === undefined) throw new SignInRefused('no_role');
  if (account === undefined) {
    if (name === undefined) throw new SignInRefused('unverified');
    const called = (await invitations.list()).find(
      (each) => each.name === name.trim().toLowerCase() && each.accountId === null && each.expiresAt > now().getTime(),
    );
    const role = decided?.role ?? called?.role ?? newcomerRole;
    if (role === undefined) throw new SignInRefused('unknown');
    const made = await accounts.create({ name, role, subject }, called?.createdBy ?? by);
    if (called !== undefined) await invitations.withdraw(called.id);
    return made;
  }
  // An address that the same provider gave to somebody else. After a change of provider it counts anew.
  if (linked === undefined && identity !== undefined && account.subject?.startsWith(`${identity.issuer} `) === true) {
    throw new SignInRefused('somebody_else');
  }
  const role = decided?.role ?? account.role;
  const isAsBefore = role === account.role && (subject === undefined || subject === account.subject);
  return isAsBefore ? account : accounts.change(account.id, { role, subject });
}

/** For the log: codes of the protocol, which hold no secret and nothing that the provider wrote. */
export function codesOf({ cause }: SignInRefused): readonly string[] {
  if (!(cause instanceof Error)) return [];
  const codes = [cause.name, 'code' in cause ? cause.code : undefined, 'error' in cause ? cause.error : undefined];
  // An error of the protocol is a word of RFC 6749, section 4.1.2.1, or of an extension.
  return codes.filter((code): code is string => typeof code === 'string' && /^[A-Za-z][A-Za-z0-9_]{1,63}$/.test(code));
}
