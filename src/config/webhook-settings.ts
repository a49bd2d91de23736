/** Where webhooks may go. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { setting, type Setting } from './setting.js';

/** The table in docs/webhooks.md is tested against this object. */
export const WEBHOOK_SETTINGS = {
  WEBHOOK_NETWORKS: setting({
    schema: z
      .string()
      .transform((value) =>
        value
          .split(',')
          .map((network) => network.trim())
          .filter((network) => network !== ''),
      )
      .refine((networks) => networks.every((network) => ipaddr.isValidCIDR(network)), {
        error: 'must be networks, separated by commas: 10.1.0.0/16, fd00::/8',
      }),
    default: '',
    meaning: 'Networks of your own that webhooks may go to. Without it they go to addresses of the internet alone.',
  }),
} satisfies Record<string, Setting<z.ZodType>>;
