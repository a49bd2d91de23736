/** Why somebody who has signed in elsewhere does not get in. The page finds the reason in its address, and the words for it here. */

/** None of them tells what the provider said: that could hold a secret. */
export const REFUSALS = {
  away: 'The provider of sign-ins does not answer. Try again later, or sign in with a password.',
  stale: 'This sign-in was begun in another browser or tab, or too long ago. Begin again.',
  declined: 'The provider of sign-ins did not let you in. Begin again, or ask the operator: the log says why.',
  unverified: 'The provider of sign-ins does not vouch for your address of mail. Have it verified there.',
  unknown: 'There is no account for you here. Ask an owner for one.',
  disabled: 'Your account here was disabled. Ask an owner.',
  somebody_else: 'The account of your name belongs to another sign-in. Ask an owner.',
  often: 'Too many attempts to sign in came from your address. Wait a minute.',
  failed: 'Signing in did not work this time. Try again.',
  unnamed: 'The proxy in front does not say who you are.',
  no_role: 'You have no role that lets you in here. Ask an owner.',
} as const;

export type Refusal = keyof typeof REFUSALS;

export const isRefusal = (reason: string): reason is Refusal => Object.hasOwn(REFUSALS, reason);
