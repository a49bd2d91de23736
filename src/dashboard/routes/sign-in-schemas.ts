/** What the routes for signing in otherwise than with a password take and answer. */
import { z } from 'zod';

export const signInWaysResponse = z.object({
  password: z.boolean().meta({ description: 'Whether anybody has one.' }),
  oidc: z
    .object({ name: z.string(), address: z.string().meta({ description: 'Where to go for it.' }) })
    .nullable()
    .meta({ description: 'A provider of OpenID Connect.' }),
  header: z.string().nullable().meta({ description: 'Whom the proxy names, where it is one that is believed.' }),
  signOutUrl: z.string().nullable().meta({ description: 'Where to go after signing out here.' }),
});
export type SignInWays = z.output<typeof signInWaysResponse>;

/** A view of the page and its filters. What stands behind the # is for no server. */
export const startQuery = z.object({
  to: z
    .string()
    .max(500)
    .regex(/^\/dashboard(?:\/[a-z-]+)*(?:\?[^#\\]*)?$/)
    .catch('/dashboard'),
});

const sentBack = z.string().optional().catch(undefined);
/** As the provider sends it; it is read as it came. */
export const callbackQuery = z.object({ code: sentBack, state: sentBack, iss: sentBack, error: sentBack });
