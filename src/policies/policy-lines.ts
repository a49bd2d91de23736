/**
 * The outer form of the policy file: JSON with a line for each project, so that a line which is known already need not be parsed again.
 * Knows nothing of what a policy is.
 */

const LINE_BREAK = 0x0a;
const COMMA = 0x2c;
/** No id has anything that JSON escapes. */
const LINE_BEGIN = /^"([\w-]{1,100})":/;
const LONGEST_BEGIN = 110;

export interface ProjectLine {
  readonly id: string;
  /** JSON of what is kept of the project. */
  readonly json: Buffer;
}

const begin = (format: number): string => `{"format":${format},"projects":{\n`;
const END = '}}\n';

/** In pieces. @param lines by the id of the project; the JSON has no line break */
export function* textOfLines(format: number, lines: Iterable<readonly [id: string, json: string]>): Generator<string> {
  yield begin(format);
  let separator = '';
  for (const [id, json] of lines) {
    yield `${separator}"${id}":${json}`;
    separator = ',\n';
  }
  yield `\n${END}`;
}

/** @returns undefined where the bytes have another form, as they may when somebody edited them: they can be the same JSON */
export function projectLines(bytes: Buffer, format: number): ProjectLine[] | undefined {
  const [head, end] = [Buffer.from(begin(format)), Buffer.from(`\n${END}`)];
  if (!bytes.subarray(0, head.length).equals(head) || !bytes.subarray(-end.length).equals(end)) return undefined;
  const lines: ProjectLine[] = [];
  const last = bytes.length - end.length;
  for (let from = head.length; from < last;) {
    const found = bytes.indexOf(LINE_BREAK, from);
    const to = found === -1 || found > last ? last : found;
    const line = bytes.subarray(from, to);
    const [key = '', id] = LINE_BEGIN.exec(line.toString('latin1', 0, LONGEST_BEGIN)) ?? [];
    const isSeparated = line.at(-1) === COMMA;
    if (id === undefined || isSeparated !== to < last) return undefined;
    lines.push({ id, json: line.subarray(key.length, isSeparated ? -1 : undefined) });
    from = to + 1;
  }
  // JSON takes the last of two members of one name.
  return new Set(lines.map(({ id }) => id)).size === lines.length ? lines : undefined;
}
