/** The `decisions` command: a key for the texts that are kept, and what is kept into a file or out of the store. */
import { pipeline } from 'node:stream/promises';
import { createDecisionRepository } from '../decisions/decision-repository.js';
import { EXPORT_FORMATS, exportedLines } from '../decisions/export.js';
import { newDecisionsKey, type TextCipher } from '../decisions/text-cipher.js';
import { OperatorError } from '../errors.js';
import { readArguments, runCommands, usingStore, type Output, type StoreOpening } from './command.js';
import { projectCalled } from './policies/policies-context.js';
import { writeNew } from './store-command.js';

const HELP = `Usage: npx parapet decisions COMMAND

  new-key                              Print a key for DECISIONS_KEY, which encrypts the texts that projects keep.
  export --project NAME [FILE]         Write what is kept of a project, newest first, with its texts where DECISIONS_KEY
      [--reference R] [--format F]       opens them; of one reference alone; jsonl (default) or csv. FILE must not be there yet;
                                         without it, standard output.
  delete --project NAME --reference R  Delete what is kept under a reference, for good.

What is kept, and for how long, is for the policy of a project to say: npx parapet policies set NAME --keep verdicts:30.
Exit status: 0, or 2 with the reason on standard error.
`;

export interface DecisionsCliDeps extends StoreOpening {
  /** @returns undefined where no key is set @throws OperatorError where it is wrong */
  readonly openCipher: () => TextCipher | undefined;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: Output;
}

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export function runDecisionsCli(argv: readonly string[], deps: DecisionsCliDeps): Promise<number> {
  return runCommands(argv, deps, HELP, {
    'new-key': (args) => {
      if (readArguments(args, {}).positionals.length > 0) throw new OperatorError('new-key takes nothing. See --help.');
      deps.stdout.write(`${newDecisionsKey()}\n`);
    },
    export: exportTo,
    delete: deleteReference,
  });
}

const WHOSE = { project: { type: 'string' }, reference: { type: 'string' } } as const;

async function exportTo(args: readonly string[], deps: DecisionsCliDeps): Promise<void> {
  const { values, positionals } = readArguments(args, { ...WHOSE, format: { type: 'string', default: 'jsonl' } });
  const [file = '-', ...others] = positionals;
  if (values.project === undefined || others.length > 0) {
    throw new OperatorError('export needs --project, and takes one file. See --help.');
  }
  const { project: name, reference } = values;
  const format = EXPORT_FORMATS.find((each) => each === values.format);
  if (format === undefined) throw new OperatorError(`--format must be ${EXPORT_FORMATS.join(' or ')}.`);
  const cipher = deps.openCipher();
  await usingStore(deps, async (store) => {
    const { id } = await projectCalled(name, store);
    const lines = exportedLines(createDecisionRepository(store.sql).each(id, { reference }), cipher, format);
    if (file === '-') await pipeline(lines, deps.stdout, { end: false });
    else await writeNew(file, lines);
  });
}

async function deleteReference(args: readonly string[], deps: DecisionsCliDeps): Promise<void> {
  const { values, positionals } = readArguments(args, WHOSE);
  const { project: name, reference } = values;
  if (name === undefined || reference === undefined || positionals.length > 0) {
    throw new OperatorError('delete needs --project and --reference. See --help.');
  }
  await usingStore(deps, async (store) => {
    const { id } = await projectCalled(name, store);
    const deleted = await createDecisionRepository(store.sql).deleteByReference(id, reference);
    deps.stdout.write(`${deleted} ${deleted === 1 ? 'decision was' : 'decisions were'} deleted.\n`);
  });
}
