/** `policies fit`: fits thresholds to a file of labelled texts, shows them, and sets them where it is told to. */
import { formatOf, readRows, type DatasetSource } from '../../dataset/dataset.js';
import { OperatorError } from '../../errors.js';
import type { ProjectRecord } from '../../keys/key-record.js';
import { LABEL_CATEGORIES, type LabelCategory } from '../../moderation/categories.js';
import { failingCategories, fitThresholds, type PolicyFit } from '../../policies/fitting/fit-thresholds.js';
import {
  labelColumnsOf,
  labelledText,
  type LabelColumns,
  type LabelledTexts,
} from '../../policies/fitting/labelled-texts.js';
import type { StoredPolicy } from '../../policies/policy-repository.js';
import { resolveFields } from '../../policies/resolve-policy.js';
import { readArguments, wholeNumber } from '../command.js';
import { BY, noted, projectIn, type PoliciesContext } from './policies-context.js';
import { fitTable } from './policies-output.js';

const OPTIONS = {
  project: { type: 'string' },
  input: { type: 'string' },
  'text-column': { type: 'string', default: 'text' },
  'label-column': { type: 'string', multiple: true },
  category: { type: 'string', multiple: true },
  positive: { type: 'string' },
  'false-alarms': { type: 'string', default: '0.01' },
  quoted: { type: 'boolean', default: false },
  limit: { type: 'string' },
  set: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

export async function fit(args: readonly string[], context: PoliciesContext): Promise<void> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const project = await projectIn(values.project, positionals, 'fit', context);
  const falseAlarms = shareIn(values['false-alarms']);
  const limit = values.limit === undefined ? Infinity : wholeNumber('--limit', values.limit);
  const { version, policy: fields } = await context.store.policies.get(project.id);
  const settings = context.settings();
  const columns = columnsIn(
    values['label-column'] ?? [],
    values.category,
    failingCategories(resolveFields(settings, fields)),
  );
  const source = sourceOf(values.input, { ...values, columns, limit });
  const { texts, leftOut } = await labelledTextsIn(source, columns, values.positive);
  const model = await context.loadModel();
  try {
    const categories = [...columns.keys()];
    const told = await fitThresholds({ ...model, texts, categories, settings, fields, falseAlarms });
    if (!values.json) context.stdout.write(fitTable({ ...told, falseAlarms, leftOut, project, isToSet: values.set }));
    const stored = values.set ? await setFitted(told, project, version, context) : undefined;
    if (values.json) {
      const summary = { project: project.name, projectId: project.id, version: stored?.version ?? version };
      context.stdout.write(`${JSON.stringify({ ...summary, isSet: values.set, falseAlarms, leftOut, ...told })}\n`);
    } else if (stored !== undefined) {
      context.stdout.write(`The policy of ${project.name} has version ${stored.version}.\n`);
    }
    if (stored !== undefined) await noted('policy.change', stored, context);
  } finally {
    await model.close();
  }
}

/** @param base thresholds are fitted with the other fields, the terms above all: those of another version may be others */
function setFitted(
  { fitted, policy }: PolicyFit,
  { id }: ProjectRecord,
  base: number,
  { store }: PoliciesContext,
): Promise<StoredPolicy> {
  if (fitted.length > 0) return store.policies.edit(id, () => policy, { by: BY, base });
  throw new OperatorError('Nothing was set: there are too few texts to tell any threshold from them.');
}

function shareIn(flag: string): number {
  const share = /^0?\.\d+$/.test(flag) ? Number(flag) : 0;
  if (share > 0 && share <= 0.5) return share;
  throw new OperatorError('--false-alarms must be a share above 0 and at most 0.5, such as 0.01. See --help.');
}

/** `hate=C` is of one category, `C` of all others. */
function columnsIn(
  flags: readonly string[],
  wanted: readonly string[] | undefined,
  failing: readonly LabelCategory[],
): LabelColumns {
  const own = new Map<LabelCategory, string>();
  const shared: string[] = [];
  for (const flag of flags) {
    const equals = flag.indexOf('=');
    const category = LABEL_CATEGORIES.find((name) => name === flag.slice(0, Math.max(0, equals)));
    if (category === undefined || equals === flag.length - 1) shared.push(flag);
    else if (own.has(category)) throw new OperatorError(`There are two label columns for ${category}.`);
    else own.set(category, flag.slice(equals + 1));
  }
  if (flags.length === 0) throw new OperatorError('--label-column is missing: the column with the labels. See --help.');
  if (shared.length > 1) {
    throw new OperatorError('--label-column without a category may be given once: write hate=C for the others.');
  }
  return labelColumnsOf({ own, shared: shared[0], categories: wanted?.map(categoryIn) }, failing);
}

function categoryIn(flag: string): LabelCategory {
  const category = LABEL_CATEGORIES.find((name) => name === flag);
  if (category === undefined) throw new OperatorError(`--category must be one of: ${LABEL_CATEGORIES.join(', ')}.`);
  return category;
}

interface SourceFlags {
  readonly 'text-column': string;
  readonly quoted: boolean;
  readonly columns: LabelColumns;
  readonly limit: number;
}

function sourceOf(input: string | undefined, flags: SourceFlags): DatasetSource {
  if (input === undefined) throw new OperatorError('--input is missing: a file of labelled texts. See --help.');
  const format = formatOf(input);
  if (format === undefined) throw new OperatorError('--input must be a .csv, .tsv or .jsonl, each also .gz.');
  const [label, ...moreLabels] = new Set(flags.columns.values());
  return {
    file: input,
    format,
    columns: { text: flags['text-column'], label, moreLabels },
    header: true,
    quoted: format === 'csv' || flags.quoted,
    limit: flags.limit,
  };
}

/** @throws OperatorError that names the file and the line that is wrong, and where no text of a column is labelled */
async function labelledTextsIn(
  source: DatasetSource,
  columns: LabelColumns,
  positive: string | undefined,
): Promise<LabelledTexts> {
  const names = [...new Set(columns.values())];
  const texts: LabelledTexts['texts'][number][] = [];
  let leftOut = 0;
  for await (const { text, labels } of readRows(source)) {
    const labelled = labelledText(text, columns, (column) => labels[names.indexOf(column)] ?? '', positive);
    if (labelled === undefined) leftOut += 1;
    else texts.push(labelled);
  }
  if (texts.length === 0) throw new OperatorError(`There is no text in ${source.file}.`);
  return { texts, leftOut };
}
