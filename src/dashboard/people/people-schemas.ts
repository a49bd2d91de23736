/** What goes over the wire of the admin API about people: accounts, invitations, tokens, sessions and the audit log, as zod schemas. */
import { z } from 'zod';
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from '../../people/password-limits.js';
import { MOST_TOKEN_DAYS } from '../../people/admin-tokens.js';
import { INVITATION_DAYS, MOST_INVITATION_DAYS } from '../../people/invitations.js';
import { ROLES } from '../../people/roles.js';

const time = z.iso.datetime();
const role = z.enum(ROLES, `must be one of: ${ROLES.join(', ')}`);
const newPassword = z
  .string('must be a string')
  .min(LEAST_PASSWORD_CHARACTERS, `must have at least ${LEAST_PASSWORD_CHARACTERS} characters`)
  .max(MOST_PASSWORD_CHARACTERS, `must have at most ${MOST_PASSWORD_CHARACTERS} characters`);

export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  role,
  hasPassword: z.boolean(),
  signsInElsewhere: z.boolean().meta({ description: 'Whether a provider of sign-ins knows it.' }),
  createdAt: time,
  createdBy: z.string(),
  disabledAt: time.nullable(),
});
export type AccountOnTheWire = z.output<typeof accountSchema>;
export const accountListResponse = z.object({ accounts: z.array(accountSchema) });

export const accountBody = z
  .object({ role: role.optional(), disabled: z.boolean('must be true or false').optional() })
  .refine(({ role: wanted, disabled }) => wanted !== undefined || disabled !== undefined, {
    error: 'must have role or disabled',
  });

export const invitationSchema = z.object({
  id: z.string(),
  name: z.string(),
  role,
  resetsPassword: z.boolean().meta({ description: 'It is for an account that is there, and sets its password anew.' }),
  createdAt: time,
  createdBy: z.string(),
  expiresAt: time,
});
export type InvitationOnTheWire = z.output<typeof invitationSchema>;
export const invitationListResponse = z.object({ invitations: z.array(invitationSchema) });
export const invitationBody = z.object({
  name: z.string('must be a string'),
  role,
  expiresInDays: z
    .number('must be a number')
    .gt(0, 'must be above 0')
    .max(MOST_INVITATION_DAYS, `must be at most ${MOST_INVITATION_DAYS}`)
    .default(INVITATION_DAYS),
});
export const createdInvitationResponse = z.object({
  path: z.string().meta({
    description: 'Of the link, to be put behind the address of the service: this is the only time that it is shown.',
  }),
  invitation: invitationSchema,
});
export type CreatedInvitation = z.output<typeof createdInvitationResponse>;

const invitationToken = z.string('must be a string').max(200, 'is too long');
export const openInvitationBody = z.object({ token: invitationToken });
export const openedInvitationResponse = invitationSchema.pick({ name: true, role: true, resetsPassword: true });
export type OpenedInvitation = z.output<typeof openedInvitationResponse>;
export const acceptInvitationBody = z.object({ token: invitationToken, password: newPassword });

export const passwordBody = z.object({
  current: z.string('must be a string').min(1, 'must not be empty').max(MOST_PASSWORD_CHARACTERS, 'is too long'),
  password: newPassword,
});

export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  role,
  start: z.string().meta({ description: 'The first characters of the token.' }),
  createdAt: time,
  createdBy: z.string(),
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
  usedAt: time.nullable().meta({ description: 'To the minute.' }),
});
export type TokenOnTheWire = z.output<typeof tokenSchema>;
export const tokenListResponse = z.object({ tokens: z.array(tokenSchema) });
export const tokenBody = z.object({
  name: z.string('must be a string'),
  role,
  expiresInDays: z
    .int('must be a whole number or null')
    .min(1, 'must be at least 1')
    .max(MOST_TOKEN_DAYS, `must be at most ${MOST_TOKEN_DAYS}`)
    .nullable()
    .default(90),
});
export const createdTokenResponse = z.object({
  token: z.string().meta({ description: 'The token itself: this is the only time that it is shown.' }),
  record: tokenSchema,
});
export type CreatedToken = z.output<typeof createdTokenResponse>;

export const listedSessionSchema = z.object({
  id: z.string().meta({ description: 'For ending it; opens nothing.' }),
  accountId: z.string().meta({ description: '`owner` for the password of the service.' }),
  name: z.string(),
  role,
  startedAt: time,
  usedAt: time.meta({ description: 'To the minute.' }),
  address: z.string(),
  agent: z.string().meta({ description: 'What the browser calls itself.' }),
  current: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
});
export type SessionOnTheWire = z.output<typeof listedSessionSchema>;
export const sessionListResponse = z.object({ sessions: z.array(listedSessionSchema) });

const MOST_AUDIT_ENTRIES = 200;
export const auditQuery = z.object({
  before: z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be at least 1').optional(),
  limit: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MOST_AUDIT_ENTRIES, `must be at most ${MOST_AUDIT_ENTRIES}`)
    .default(50),
  actor: z.string().max(200, 'is too long').optional().meta({ description: 'A part of what the actor is called.' }),
  action: z.string().max(100, 'is too long').optional().meta({
    description: 'An action, or what a group of them begins with: `key` is of `key.create` and `key.revoke`.',
  }),
});

export const auditEntrySchema = z.object({
  sequence: z.int().min(1),
  at: z.int().meta({ description: 'Milliseconds since 1970.' }),
  actor: z.string().meta({ description: 'Id and name, as they were then.' }),
  action: z.string(),
  subject: z.string().meta({ description: 'Id of what it was done to.' }),
  details: z.string().meta({ description: 'JSON.' }),
  previous: z.string().meta({ description: 'The hash of the entry before it.' }),
  hash: z.string().meta({
    description:
      'SHA-256 in hexadecimal of the JSON array [previous, sequence, at, actor, action, subject, details], as JSON.stringify writes it.',
  }),
});
export const auditResponse = z.object({
  entries: z.array(auditEntrySchema).meta({ description: 'Newest first.' }),
  next: z.int().nullable().meta({ description: 'The `before` of the next page; null where there is none.' }),
});
export type AuditResponse = z.output<typeof auditResponse>;

export const PEOPLE_REQUESTS = {
  AccountRequest: accountBody,
  InvitationRequest: invitationBody,
  OpenInvitationRequest: openInvitationBody,
  AcceptInvitationRequest: acceptInvitationBody,
  PasswordRequest: passwordBody,
  AdminTokenRequest: tokenBody,
};
export const PEOPLE_RESPONSES = {
  Account: accountSchema,
  AccountList: accountListResponse,
  Invitation: invitationSchema,
  InvitationList: invitationListResponse,
  CreatedInvitation: createdInvitationResponse,
  OpenedInvitation: openedInvitationResponse,
  AdminToken: tokenSchema,
  AdminTokenList: tokenListResponse,
  CreatedAdminToken: createdTokenResponse,
  SessionList: sessionListResponse,
  AuditLog: auditResponse,
};
