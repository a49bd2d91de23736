/** Reads durations as operators write them: `30s`, `15m`, `24h`, `90d`. */
import { OperatorError } from '../errors.js';

const MS_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** @throws OperatorError that names the flag */
export function parseDurationMs(flag: string, text: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const msPerUnit = MS_PER_UNIT.get(unit ?? '');
  if (amount === undefined || msPerUnit === undefined) {
    throw new OperatorError(`${flag} must be a number with a unit: 30s, 15m, 24h or 90d.`);
  }
  return Number(amount) * msPerUnit;
}
