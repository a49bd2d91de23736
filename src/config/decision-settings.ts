/** With what the texts of decisions are encrypted. */
import { z } from 'zod';
import { setting, type Setting } from './setting.js';

const KEY_BYTES = 32;
const isKey = (key: string): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(key) && Buffer.from(key, 'base64').length === KEY_BYTES;

/** The table in docs/kept-decisions.md is tested against this object. */
export const DECISION_SETTINGS = {
  DECISIONS_KEY: setting({
    schema: z
      .string()
      .transform((value) =>
        value
          .split(',')
          .map((key) => key.trim())
          .filter((key) => key !== ''),
      )
      .refine((keys) => keys.every(isKey), 'must be what "npx parapet decisions new-key" prints, several with commas')
      .transform((keys): readonly Buffer[] => keys.map((key) => Buffer.from(key, 'base64'))),
    default: '',
    secret: true,
    meaning:
      'Encrypts the texts that projects keep: 32 bytes in base64. Several, with commas, newest first, while keys are changed. `DECISIONS_KEY_FILE` is a file that holds it.',
  }),
} satisfies Record<string, Setting<z.ZodType>>;
