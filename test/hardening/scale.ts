/** The size of the checks in this folder: short in CI, long by command. See README.md. */
import process from 'node:process';

const isLong = process.env.HARDENING === 'long';

/** Seed of everything random here; printed with what it found. */
export const SEED = Number(process.env.FUZZ_SEED ?? 1);

export function sized<Value>({ short, long }: { short: Value; long: Value }): Value {
  return isLong ? long : short;
}

/** No check of the long form takes this long; that of the short form is the project's. */
export const TIME_LIMIT_MS = isLong ? 3_600_000 : 120_000;
