/** What several servers share beyond one folder. */
import { z } from 'zod';
import { setting, wholeNumber, type Setting } from './setting.js';

/** Empty means unset. The table in docs/operations/replicas.md is tested against this object. */
export const REPLICA_SETTINGS = {
  DATABASE_URL: setting({
    schema: z
      .string()
      .regex(/^(?:postgres(?:ql)?:\/\/\S+)?$/, 'must be an address such as postgres://USER:PASSWORD@HOST:5432/DATABASE')
      .transform((value) => (value === '' ? undefined : value)),
    default: '',
    secret: true,
    meaning:
      'PostgreSQL database in which everything is kept, in place of files. `DATABASE_URL_FILE` is a file that holds it.',
  }),
  STORE_GRACE_SECONDS: setting({
    schema: wholeNumber(0, 3600),
    default: '30',
    meaning:
      'How long what is known of keys and policies counts while the database does not answer, before requests get 503; 0 for not at all.',
  }),
  VALKEY_URL: setting({
    schema: z
      .string()
      .regex(
        /^(?:(?:redis|valkey)s?:\/\/\S+)?$/,
        'must be an address such as redis://:PASSWORD@HOST:6379, or rediss:// for TLS',
      )
      .transform((value) => (value === '' ? undefined : value)),
    default: '',
    secret: true,
    meaning:
      'Valkey or Redis in which rate limits are counted for all servers. `VALKEY_URL_FILE` is a file that holds it.',
  }),
  SHARED_CACHE: setting({
    schema: z.enum(['on', 'off']).transform((value) => value === 'on'),
    default: 'off',
    meaning:
      'Whether servers tell each other what they found out about a text, in Valkey: a hash and numbers, no text.',
  }),
} satisfies Record<string, Setting<z.ZodType>>;
