/** Reads JSON Lines: one object a line, of which some members are wanted. */
import { z } from 'zod';
import { OperatorError } from '../errors.js';
import { labelColumnsOf, type Cells, type Columns } from './delimited-rows.js';
import { readLines, type Line } from './text-lines.js';

const record = z.record(z.string(), z.unknown());
const textCell = z.string();
const labelCell = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const groupCell = z.union([
  z.union([z.string(), z.number()]).transform((name) => [String(name)]),
  z.array(z.string()),
  z.null().transform(() => []),
]);

/** Blank lines are passed over. @throws OperatorError with the number of the line */
export async function* readJsonLines(chunks: AsyncIterable<string>, columns: Columns): AsyncGenerator<Cells> {
  for await (const line of readLines(chunks)) {
    if (line.text.trim() === '') continue;
    const members = membersOf(line);
    yield {
      text: cell(members, columns.text, textCell, 'a string', line),
      labels: labelColumnsOf(columns).map((column) =>
        cell(members, column, labelCell, 'a string, a number or a boolean', line),
      ),
      // Many files have this member only where there is something to say.
      groups:
        columns.group === undefined || !members.has(columns.group)
          ? []
          : cell(members, columns.group, groupCell, 'a string, a number, a list of strings or null', line),
    };
  }
}

function membersOf(line: Line): ReadonlyMap<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    throw new OperatorError(`line ${line.number} is not valid JSON`);
  }
  const parsed = record.safeParse(value);
  if (!parsed.success) throw new OperatorError(`line ${line.number} is not a JSON object`);
  return new Map(Object.entries(parsed.data));
}

function cell<Value>(
  members: ReadonlyMap<string, unknown>,
  column: string,
  schema: z.ZodType<Value>,
  expected: string,
  line: Line,
): Value {
  if (!members.has(column)) {
    const available = [...members.keys()].join(', ');
    throw new OperatorError(`line ${line.number} has no column "${column}"; there are: ${available}`);
  }
  const parsed = schema.safeParse(members.get(column));
  if (!parsed.success) throw new OperatorError(`line ${line.number}: "${column}" must be ${expected}`);
  return parsed.data;
}
