/** Rows of cells as lines of text, and times that are short enough for them. */

export function tableLines(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** `2031-05-04 10:30Z`: seconds only make a table wide. */
export function minuteOf(time: string): string {
  const [date = time, clock] = time.split('T');
  return clock === undefined ? date : `${date} ${clock.slice(0, 5)}Z`;
}
