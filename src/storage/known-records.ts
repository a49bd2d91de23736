/** Takes records over from the reading before of a file of many, most of which are the same: checking a record takes longer than reading it. */
import { z } from 'zod';

export interface KnownRecords<Kept> {
  /** Of one record. Those of a reading are compared with those of the reading before in their order. */
  readonly schema: z.ZodType<Kept>;
  /** Before each reading. */
  readonly begin: () => void;
}

export function createKnownRecords<Kept>(checked: z.ZodType<Kept>): KnownRecords<Kept> {
  let before: readonly Kept[] = [];
  let records: Kept[] = [];
  const schema = z.unknown().transform((content, { issues }) => {
    const known = before[records.length];
    const { data, error } =
      known !== undefined && isSameJson(content, known) ? { data: known } : checked.safeParse(content);
    for (const issue of error?.issues ?? []) issues.push({ ...issue, code: 'custom', input: content });
    if (data === undefined) return z.NEVER;
    records.push(data);
    return data;
  });
  return {
    schema,
    begin() {
      before = records;
      records = [];
    },
  };
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSameJson(each, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
