/** `policies preview`: judges texts once and says what a change would make of them. Stores nothing. */
import { OperatorError, valid } from '../../errors.js';
import { policyFieldsSchema } from '../../policies/policy-schema.js';
import { textsInCsv, textsInLines, type PreviewText } from '../../policies/preview-texts.js';
import { previewPolicy } from '../../policies/preview.js';
import { resolveFields } from '../../policies/resolve-policy.js';
import { readArguments } from '../command.js';
import { projectIn, type PoliciesContext } from './policies-context.js';
import { editFrom, EDIT_OPTIONS, textOf } from './policies-edit.js';
import { previewTable } from './policies-output.js';

export async function preview(args: readonly string[], context: PoliciesContext): Promise<void> {
  const { values, positionals } = readArguments(args, {
    ...EDIT_OPTIONS,
    project: { type: 'string' },
    input: { type: 'string' },
    'text-column': { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const project = await projectIn(values.project, positionals, 'preview', context);
  if (values.input === undefined) throw new OperatorError('--input is missing: a file of texts. See --help.');
  const { edit } = await editFrom(values, context.stdin);
  const { policy: present } = await context.store.policies.get(project.id);
  const settings = context.settings();
  const before = resolveFields(settings, present);
  const after = resolveFields(settings, valid(policyFieldsSchema, edit(present)));
  const texts = textsIn(values.input, await textOf(values.input, context.stdin), values['text-column']);
  if (texts.length === 0) throw new OperatorError(`There is no text in ${values.input}.`);
  const model = await context.loadModel();
  try {
    const told = await previewPolicy({ ...model, texts, before, after });
    context.stdout.write(values.json ? `${JSON.stringify(told)}\n` : previewTable(told));
  } finally {
    await model.close();
  }
}

function textsIn(file: string, text: string, textColumn: string | undefined): PreviewText[] {
  const format = /\.(csv|tsv)$/i.exec(file)?.[1]?.toLowerCase();
  if (format !== undefined) return textsInCsv(text, { textColumn, delimiter: format === 'csv' ? ',' : '\t' });
  // A named column says that there are columns.
  return textColumn === undefined ? textsInLines(text) : textsInCsv(text, { textColumn });
}
