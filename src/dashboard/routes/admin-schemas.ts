/** What goes over the wire of the admin API, as zod schemas: types, validation and the OpenAPI description come from here. */
import { z } from 'zod';
import { analyzeBody, analyzeResponse } from '../../http/routes/schemas.js';
import { LABELS } from '../../labels.js';
import { policyFieldsSchema } from '../../policies/policy-schema.js';
import { MOST_PASSWORD_CHARACTERS } from '../../people/password-limits.js';
import { ROLES } from '../../people/roles.js';
import { keySummarySchema } from '../../keys/key-record.js';

const time = z.iso.datetime();
const count = z.int().min(0);
const hours = z.number().min(0).max(8760, 'must be at most 8760 (a year)');

export const signInBody = z.object({
  name: z.string().max(200, 'is too long').optional().meta({
    description: 'What an account signs in with; left out, or "owner", for the password of the service.',
  }),
  password: z.string().min(1, 'must not be empty').max(MOST_PASSWORD_CHARACTERS, 'is too long'),
  pass: z.string().max(200, 'is too long').optional().meta({
    description: 'From the command "admin sign-in-link": counts the attempt apart from those of others.',
  }),
});
export const sessionResponse = z.object({
  csrfToken: z.string().nullable().meta({
    description: 'To be sent as X-CSRF-Token with every change; null for a token, which needs none.',
  }),
  expiresAt: time.nullable(),
  name: z.string().meta({ description: 'Of who is signed in.' }),
  role: z.enum(ROLES),
});
export type SessionResponse = z.output<typeof sessionResponse>;

export const idParams = z.object({ id: z.string() });

export const usageSchema = z.object({ requests: count, flagged: count });
export type Usage = z.output<typeof usageSchema>;

export const projectBody = z.object({ name: z.string() });
export const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: time,
  archivedAt: time.nullable(),
});
export type Project = z.output<typeof projectSchema>;
export const projectListResponse = z.object({ projects: z.array(projectSchema) });

export const keyBody = z.object({
  projectId: z.string(),
  name: z.string(),
  environment: z.enum(['live', 'test'], 'must be "live" or "test"'),
  expiresInDays: z.number('must be a number or null').nullable().default(null),
  rateLimitPerMinute: z.number('must be a number or null').nullable().default(null),
});
export const rotateBody = z.object({
  overlapHours: hours.default(0).meta({ description: 'How long the old key goes on working.' }),
});
export const keySchema = keySummarySchema.extend({
  usage: usageSchema.meta({ description: 'Verdicts of the last 7 days, today included.' }),
});
export type Key = z.output<typeof keySchema>;
export const keyListResponse = z.object({ keys: z.array(keySchema) });
export const createdKeyResponse = z.object({
  key: z.string().meta({ description: 'The key itself: this is the only time that it is shown.' }),
  record: keySchema,
});
export type CreatedKeyResponse = z.output<typeof createdKeyResponse>;

export const playgroundBody = analyzeBody.pick({ content: true }).extend({
  projectId: z.string().optional().meta({ description: 'Judge as the policy of this project has it.' }),
  policy: policyFieldsSchema.optional().meta({ description: 'Judge as this policy would have it. It is not stored.' }),
});
export const playgroundResponse = z.object({
  analysis: analyzeResponse.meta({ description: 'Exactly what POST /v1/analyze?details=true answers.' }),
  thresholds: z
    .partialRecord(z.enum(LABELS), z.number().min(0).max(1))
    .meta({ description: 'Least probability at which each label counts as detected.' }),
  languageFigures: z
    .object({ texts: count, found: z.number().min(0).max(1), passed: z.number().min(0).max(1) })
    .nullable()
    .meta({
      description:
        'Measured of the language of the text: the share of harmful texts that is found (recall), and of harmless ones that passes; null where it was not measured.',
    }),
  normalised: z.string().nullable().meta({
    description: 'The text with disguises undone, as the model read it; null where that is the text as sent.',
  }),
});
export type PlaygroundResponse = z.output<typeof playgroundResponse>;
