/** `policies terms`: lists of terms in and out as plain text. Knows nothing of what a term matches. */
import { writeFile } from 'node:fs/promises';
import { OperatorError } from '../errors.js';
import { errorCodeOf } from '../keys/system-error.js';
import type { TermList } from '../policies/policy-schema.js';
import { readTermList, termListText } from '../policies/term-list-text.js';
import { readArguments } from './arguments.js';
import { BY, type PoliciesContext } from './policies-context.js';
import { textOf } from './policies-edit.js';
import { summaryOf } from './policies-output.js';

const LISTS: Readonly<Record<string, TermList>> = { blocked: 'blockedTerms', ignored: 'ignoredTerms' };
const MOST_DUPLICATES_TOLD = 20;

export async function terms(args: readonly string[], context: PoliciesContext): Promise<void> {
  const { values, positionals } = readArguments(args, {
    project: { type: 'string' },
    add: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const [direction, ...rest] = positionals;
  const [name, list, file, ...others] = values.project === undefined ? rest : [values.project, ...rest];
  const field = LISTS[list ?? ''];
  if (name === undefined || field === undefined || others.length > 0) {
    throw new OperatorError('terms needs import or export, a project, and blocked or ignored. See --help.');
  }
  const project = context.projectCalled(name);
  if (direction === 'export') {
    await exportTo(file, termListText(context.store.get(project.id).policy[field] ?? []), context);
    return;
  }
  if (direction !== 'import' || file === undefined) throw new OperatorError('terms import needs a file. See --help.');
  const { terms: read, duplicates } = readTermList(await textOf(file, context.stdin));
  const stored = await context.store.edit(
    project.id,
    (present) => ({ ...present, [field]: values.add ? [...(present[field] ?? []), ...read] : read }),
    { by: BY },
  );
  const count = stored.policy[field]?.length ?? 0;
  if (values.json) {
    const told = duplicates.map(([line, first]) => ({ line, first }));
    context.stdout.write(`${JSON.stringify({ ...summaryOf(project, stored), terms: count, duplicates: told })}\n`);
    return;
  }
  for (const [line, first] of duplicates.slice(0, MOST_DUPLICATES_TOLD)) {
    context.stderr.write(`Line ${line} repeats line ${first}.\n`);
  }
  const more = duplicates.length - MOST_DUPLICATES_TOLD;
  if (more > 0) context.stderr.write(`${more} more lines repeat earlier ones.\n`);
  context.stdout.write(
    `${project.name} has ${count} ${list ?? ''} terms, in version ${stored.version} of its policy.\n`,
  );
}

async function exportTo(file: string | undefined, text: string, { stdout }: PoliciesContext): Promise<void> {
  if (file === undefined || file === '-') {
    stdout.write(text);
    return;
  }
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new OperatorError(`Cannot write ${file} (${errorCodeOf(error) ?? 'unknown'}).`, { cause: error });
  }
}
