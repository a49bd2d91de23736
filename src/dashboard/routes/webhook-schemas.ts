/** What goes over the wire of the admin API about the webhook of a project. */
import { z } from 'zod';

const time = z.iso.datetime();
const count = z.int().min(0);
const MAX_OVERLAP_HOURS = 168;
const OVERLAP = `must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`;

export const webhookBody = z.object({ url: z.string('must be a string') });

export const webhookRotateBody = z.object({
  overlapHours: z.int(OVERLAP).min(0, OVERLAP).max(MAX_OVERLAP_HOURS, OVERLAP).default(24).meta({
    description: 'How long requests are signed with the earlier secret as well.',
  }),
});

const deliverySchema = z.object({
  id: z.string().meta({ description: 'The header `webhook-id`, the same in every attempt.' }),
  createdAt: time,
  type: z.string(),
  state: z.enum(['waiting', 'dead']).meta({ description: '`dead`: given up after eight attempts in a day.' }),
  attempts: count,
  nextAt: time.nullable().meta({ description: 'When it is tried next; null once it is given up.' }),
  problem: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
});

export const webhookResponse = z.object({
  webhook: z
    .object({
      url: z.string(),
      createdAt: time,
      succeededAt: time.nullable().meta({ description: 'When a request was taken last.' }),
      earlierSecretUntil: time
        .nullable()
        .meta({ description: 'Until then requests are signed with the earlier secret as well.' }),
      disabledAt: time.nullable().meta({
        description: 'Since then nothing is sent: nothing came through for a day, or the other side wants no more.',
      }),
    })
    .nullable(),
  deliveries: z.array(deliverySchema).meta({ description: 'What waits or was given up, newest first, at most 50.' }),
});
export type WebhookResponse = z.output<typeof webhookResponse>;

export const webhookSecretResponse = z.object({
  secret: z.string().nullable().meta({ description: 'Shown once; null where the one that there was stays.' }),
});
export type WebhookSecretResponse = z.output<typeof webhookSecretResponse>;

export const sentAgainResponse = z.object({ deliveries: count.meta({ description: 'How many wait again.' }) });
