/** Who may do what. A role may do all that those before it may. */
export const ROLES = ['viewer', 'reviewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Viewers look at figures, keys, policies and verdicts. Reviewers read texts as well, try some, and judge decisions. Editors change projects, keys,
 * policies and webhooks. Owners decide who else there is.
 */
export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Who asks for something on the page or in the admin API. */
export interface Actor {
  /** `owner` for the password of the service. */
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** What is done on the machine itself, by whoever may. */
export const COMMAND_LINE = { id: 'command line', name: 'command line' } as const;

export const OWNER: Actor = { id: 'owner', name: 'owner', role: 'owner' };
