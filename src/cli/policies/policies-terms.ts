/** `policies terms`: lists of terms in and out as plain text. */
import { writeFile } from 'node:fs/promises';
import { errorCodeOf, OperatorError } from '../../errors.js';
import type { TermField } from '../../policies/policy-schema.js';
import { formatTermList } from '../../text/terms/term-lines.js';
import { parseTermList } from '../../text/terms/term-list.js';
import { readArguments } from '../command.js';
import { BY, noted, projectCalled, type PoliciesContext } from './policies-context.js';
import { textOf } from './policies-edit.js';
import { summaryOf } from './policies-output.js';

const LISTS: Readonly<Record<string, TermField>> = { blocked: 'blockedTerms', ignored: 'ignoredTerms' };
const MOST_TOLD = 20;

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
  const project = await projectCalled(name, context.store);
  if (direction === 'export') {
    await exportTo(file, formatTermList((await context.store.policies.get(project.id)).policy[field] ?? []), context);
    return;
  }
  if (direction !== 'import' || file === undefined) throw new OperatorError('terms import needs a file. See --help.');
  const { terms: read, duplicates, unmatchable } = parseTermList(await textOf(file, context.stdin));
  const stored = await context.store.policies.edit(
    project.id,
    (present) => ({ ...present, [field]: values.add ? [...(present[field] ?? []), ...read] : read }),
    { by: BY },
  );
  await noted('policy.change', stored, context);
  const count = stored.policy[field]?.length ?? 0;
  if (values.json) {
    context.stdout.write(
      `${JSON.stringify({ ...summaryOf(project, stored), terms: count, duplicates, unmatchable })}\n`,
    );
    return;
  }
  tell(
    duplicates.map(({ line, firstLine }) => `Line ${line} repeats line ${firstLine}.`),
    context,
  );
  tell(
    unmatchable.map(({ line, reason }) => `Line ${line} can never match, and is left out: it ${reason}.`),
    context,
  );
  context.stdout.write(
    `${project.name} has ${count} ${list ?? ''} terms, in version ${stored.version} of its policy.\n`,
  );
}

function tell(lines: readonly string[], { stderr }: PoliciesContext): void {
  for (const line of lines.slice(0, MOST_TOLD)) stderr.write(`${line}\n`);
  if (lines.length > MOST_TOLD) stderr.write(`${lines.length - MOST_TOLD} more lines like this one.\n`);
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
