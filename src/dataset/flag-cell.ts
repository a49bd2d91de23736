/** What a cell of a label column says: yes or no. Knows nothing of files or predictions. */

/** Whether a label says "positive": equal to the given value, or by default 1, true or a number from 0.5 on. */
export function isPositive(label: string, positive: string | undefined): boolean {
  const value = label.trim();
  if (positive !== undefined) return value === positive;
  return value.toLowerCase() === 'true' || (isNumber(value) && Number(value) >= 0.5);
}

/**
 * Whether the default rule was made for this label; any other counts as negative, and the reader should hear of it: Jigsaw's test
 * file, for one, has -1 for "nobody looked".
 */
export function isPlainLabel(label: string): boolean {
  const value = label.trim();
  return /^(true|false)$/i.test(value) || (isNumber(value) && Number(value) >= 0);
}

function isNumber(value: string): boolean {
  return value !== '' && Number.isFinite(Number(value));
}
