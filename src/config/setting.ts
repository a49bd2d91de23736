/** What a setting is. */
import { z } from 'zod';

export interface Setting<Schema extends z.ZodType> {
  schema: Schema;
  /** Used when the variable is unset or empty; written as the operator would write it. */
  default: string;
  /** Never repeated in a message: it could be a password that was pasted by mistake. */
  secret?: true;
  /** What the README's table of settings says in place of a default that depends on the machine or on another setting. */
  defaultShown?: string;
  meaning: string;
}

export const setting = <Schema extends z.ZodType>(declared: Setting<Schema>): Setting<Schema> => declared;

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);
