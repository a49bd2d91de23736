/** Probabilities of texts in Valkey or Redis, for all servers: a hash and a row of numbers for an hour, never a text. */
import { z } from 'zod';
import type { SharedProbabilities } from '../moderation/shared-probabilities.js';
import { createAsking, type OnProblem } from './asking.js';
import type { Valkey } from './valkey.js';

/** About twice what judging a short text takes. */
const DEADLINE_MS = 10;
const TTL_SECONDS = 3600;

const numbersSchema = z.array(z.number()).max(100);

export function createValkeyProbabilities(
  { client }: Pick<Valkey, 'client'>,
  onProblem: OnProblem,
): SharedProbabilities {
  const asking = createAsking(onProblem, DEADLINE_MS);
  const nameOf = (key: string): string => `parapet:text:${key}`;
  return {
    async get(key) {
      try {
        const kept = await asking.ask(() => client.get(nameOf(key)));
        return kept === null ? undefined : numbersSchema.parse(JSON.parse(kept));
      } catch {
        return undefined;
      }
    },
    set(key, numbers) {
      asking.ask(() => client.set(nameOf(key), JSON.stringify(numbers), 'EX', TTL_SECONDS)).catch(() => undefined);
    },
  };
}
