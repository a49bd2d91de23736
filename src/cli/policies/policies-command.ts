/** The `policies` command: reads which of its commands is meant, asks the store of policies, prints. Knows nothing of how they are stored. */
import { OperatorError } from '../../errors.js';
import type { ProjectRecord } from '../../keys/key-record.js';
import type { StoredPolicy } from '../../policies/policy-repository.js';
import { PRESET_NAMES } from '../../policies/policy-schema.js';
import { PRESETS } from '../../policies/presets.js';
import { resolveFields } from '../../policies/resolve-policy.js';
import { readArguments, runCommands, usingStore, wholeNumber } from '../command.js';
import { BY, noted, projectCalled, projectIn, type PoliciesCliDeps, type PoliciesContext } from './policies-context.js';
import { editFrom, EDIT_OPTIONS } from './policies-edit.js';
import { fit } from './policies-fit.js';
import { historyTable, overviewTable, policyTable, summaryOf } from './policies-output.js';
import { preview } from './policies-preview.js';
import { terms } from './policies-terms.js';

const HELP = `Usage: npx parapet policies COMMAND

  show [PROJECT] [--json]              The policy of a project and what comes of it; of all projects, in one line each.
  set PROJECT                          Change it; what is not named stays.
      [--preset NAME]                    ${PRESET_NAMES.join(', ')}
      [--pass-max-score N]               highest score that passes; with 10 the score fails nothing
      [--category NAME=ACTION:THRESHOLD] hate=fail:0.4, obscene=mask, insult=ignore, spam=:0.9; once for each
      [--unreadable fail|pass] [--blocked-terms fail|mask]
      [--review-scores FROM-TO]          their decisions are to be looked at; as hate=review does for a category
      [--second-reviews SHARE]           of what a person judges, 0 to 1, is judged by a second person too
      [--keep none|verdicts:DAYS|texts:DAYS] what is kept of each verdict: docs/kept-decisions.md; with :id after it
                                         metadata.id is kept as your own reference
      [--from FILE]                      begin from a policy as "show --json" prints it, in place of the present one
      [--base-version N]                 refuse if the policy has another version by now
      [--json]
  preview PROJECT --input FILE         What would change in the verdicts on texts (.csv, .tsv, else a text a line), and
                                       change nothing. Takes the flags of set, needs no running server.
      [--text-column C] [--json]
  fit PROJECT --input FILE             Thresholds for a wanted share of false alarms, fitted to labelled texts (.csv, .tsv,
                                       .jsonl, each also .gz), with what they find. Needs no running server.
      --label-column [CATEGORY=]C        hate=is_hate is of one category, one column may be of all others; once for each
      [--text-column C]                  the column with the texts ("text")
      [--category NAME]                  fit this one only; may be given again
      [--positive V]                     the label of texts that are so; without it 1, true and numbers from 0.5 on
      [--false-alarms SHARE]             of the texts not labelled so (0.01)
      [--quoted] [--limit N]             fields of a .tsv may stand in quotes; read the first N texts only
      [--set]                            set them, if the policy is still the one that they were fitted with
      [--json]
  history PROJECT [--json]             Who changed what, and when.
  restore PROJECT VERSION              Make an earlier version the present one; 0 is no policy at all.
      [--base-version N] [--json]
  terms import PROJECT blocked|ignored FILE [--add] [--json]
                                       Take a list of terms in place of the present one, or beside it: one a line,
                                       # before a comment.
  terms export PROJECT blocked|ignored [FILE]
  presets [--json]                     What each preset sets.

"default" in place of a value leaves it to the preset and the settings. FILE can be -, for standard input.
A change holds in every running server from the first request after it. The files are policies.ID.json beside KEYS_FILE
(keys.json in PARAPET_HOME). Exit status: 0, or 2 with the reason on standard error.
`;

/** Resolves to the exit status: 0, or 2 after one line on stderr. Never rejects. */
export function runPoliciesCli(argv: readonly string[], deps: PoliciesCliDeps): Promise<number> {
  const onStore =
    (command: (args: readonly string[], context: PoliciesContext) => Promise<void>) =>
    (args: readonly string[]): Promise<void> =>
      usingStore(deps, (store) => command(args, { ...deps, store }));
  return runCommands(argv, deps, HELP, {
    show: onStore(show),
    set: onStore(set),
    preview: onStore(preview),
    fit: onStore(fit),
    history: onStore(history),
    restore: onStore(restore),
    terms: onStore(terms),
    presets,
  });
}

const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;
const PROJECT_OPTION = { project: { type: 'string' } } as const;

async function show(args: readonly string[], context: PoliciesContext): Promise<void> {
  const { store, settings, stdout } = context;
  const { values, positionals } = readArguments(args, { ...PROJECT_OPTION, ...JSON_OPTION });
  if (values.project === undefined && positionals.length === 0) {
    const projects = await store.projects.list();
    const all = await Promise.all(
      projects.map(async (project) => summaryOf(project, await store.policies.get(project.id))),
    );
    stdout.write(values.json ? `${JSON.stringify(all)}\n` : overviewTable(all));
    return;
  }
  const project = await projectIn(values.project, positionals, 'show', context);
  const stored = await store.policies.get(project.id);
  if (values.json) {
    const { passMaxScore, categories, unreadable } = resolveFields(settings(), stored.policy);
    const resolved = { passMaxScore, categories, unreadable };
    stdout.write(`${JSON.stringify({ ...summaryOf(project, stored), policy: stored.policy, resolved })}\n`);
  } else stdout.write(policyTable(project, stored, settings()));
}

async function set(args: readonly string[], context: PoliciesContext): Promise<void> {
  const { values, positionals } = readArguments(args, { ...PROJECT_OPTION, ...EDIT_OPTIONS, ...JSON_OPTION });
  const project = await projectIn(values.project, positionals, 'set', context);
  const { edit, base } = await editFrom(values, context.stdin);
  const change = { by: BY, base, canKeepTexts: context.hasDecisionsKey() };
  const stored = await context.store.policies.edit(project.id, edit, change);
  printChanged(project, stored, values.json, context);
  await noted('policy.change', stored, context);
}

async function history(args: readonly string[], context: PoliciesContext): Promise<void> {
  const { values, positionals } = readArguments(args, { ...PROJECT_OPTION, ...JSON_OPTION });
  const project = await projectIn(values.project, positionals, 'history', context);
  const told = await context.store.policies.history(project.id);
  context.stdout.write(values.json ? `${JSON.stringify(told)}\n` : historyTable(project, told));
}

async function restore(args: readonly string[], context: PoliciesContext): Promise<void> {
  const { values, positionals } = readArguments(args, {
    ...PROJECT_OPTION,
    ...JSON_OPTION,
    'base-version': { type: 'string' },
  });
  const [version, ...others] = values.project === undefined ? positionals.slice(1) : positionals;
  const named = values.project ?? positionals[0];
  if (named === undefined || version === undefined || others.length > 0) {
    throw new OperatorError('restore needs a project and a version. See --help.');
  }
  const project = await projectCalled(named, context.store);
  const wanted = wholeNumber('The version', version);
  const base = values['base-version'] === undefined ? undefined : wholeNumber('--base-version', values['base-version']);
  const change = { by: BY, base, canKeepTexts: context.hasDecisionsKey() };
  const stored = await context.store.policies.restore(project.id, wanted, change);
  printChanged(project, stored, values.json, context);
  await noted('policy.restore', stored, context);
}

function presets(args: readonly string[], { stdout }: PoliciesCliDeps): void {
  const { values } = readArguments(args, JSON_OPTION);
  const lines = PRESET_NAMES.map((name) => `${name}  ${JSON.stringify(PRESETS[name])}\n`);
  stdout.write(values.json ? `${JSON.stringify(PRESETS)}\n` : lines.join(''));
}

function printChanged(project: ProjectRecord, stored: StoredPolicy, json: boolean, { stdout }: PoliciesCliDeps): void {
  if (json) stdout.write(`${JSON.stringify({ ...summaryOf(project, stored), policy: stored.policy })}\n`);
  else stdout.write(`The policy of ${project.name} has version ${stored.version}.\n`);
}
