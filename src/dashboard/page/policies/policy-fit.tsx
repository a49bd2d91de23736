/** Thresholds for a wanted share of false alarms, fitted to labels of the project or of a CSV and taken into the unsaved policy. Saves nothing. */
import { useState } from 'preact/hooks';
import type { LabelCategory } from '../../../moderation/categories.js';
import type { LabelsResponse } from '../../labelling/label-schemas.js';
import type { KeptResponse } from '../../routes/decision-schemas.js';
import type { FitResponse } from '../../routes/policy-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { Choice } from '../shared/choice.js';
import { Alert, Field } from '../shared/controls.js';
import { useAnswer } from '../shared/use-answer.js';
import { useQuestion } from '../shared/use-question.js';
import { labelOf, numberOf } from '../shared/words.js';
import { ColumnChoice } from './column-choice.js';
import { columnsIn } from './csv-columns.js';
import { pathOf, type Editing } from './drafts.js';
import { FitResult } from './fit-result.js';
import { keptPeriods, usualPeriod } from './preview/kept-texts.js';
import { fitBodyOf } from './threshold-fits.js';

const SOURCES = ['labels', 'csv'] as const;

interface ChosenFile {
  readonly csv: string;
  readonly columns: readonly string[];
}

interface PolicyFitProps {
  readonly editing: Editing;
  readonly kept: KeptResponse | undefined;
}

/** Once it is known whether there are labels. */
export function PolicyFit(props: PolicyFitProps) {
  const { projectId } = props.editing.draft;
  const { answer, problem } = useAnswer<LabelsResponse>(`/projects/${projectId}/labels`);
  return answer === undefined && problem === undefined ? null : <Fit {...props} labelled={answer?.texts} />;
}

interface FitProps extends PolicyFitProps {
  /** Texts; undefined where the service does not say. */
  readonly labelled: number | undefined;
}

function Fit({ editing, kept, labelled = 0 }: FitProps) {
  const { draft, catalogue } = editing;
  const { projectId } = draft;
  const { answer, problem, isAsking, ask } = useQuestion<FitResponse>();
  const [fits, setFits] = useState(0);
  const [source, setSource] = useState<(typeof SOURCES)[number] | undefined>(labelled > 0 ? 'labels' : 'csv');
  const [file, setFile] = useState<ChosenFile>();
  const [textColumn, setTextColumn] = useState('');
  const [labelColumn, setLabelColumn] = useState('');
  const [own, setOwn] = useState<ReadonlyMap<LabelCategory, string>>(new Map());
  const columns = file?.columns ?? [];
  const isCsv = source === 'csv';

  async function choose([chosen]: FileList | readonly []): Promise<void> {
    const csv = await chosen?.text();
    setFile(csv === undefined ? undefined : { csv, columns: columnsIn(csv) });
    setTextColumn('');
    setLabelColumn('');
    setOwn(new Map());
  }

  function fit(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void {
    event.preventDefault();
    const { positive, wanted } = Object.fromEntries(new FormData(event.currentTarget));
    const ofFile = {
      csv: file?.csv ?? '',
      textColumn,
      labelColumn,
      labelColumns: own,
      positive: typeof positive === 'string' ? positive : '',
    };
    const choice = fitBodyOf(isCsv ? ofFile : 'labels', Number(wanted));
    void ask(async () => {
      const found = await send<FitResponse>('POST', `${pathOf(projectId)}/fit`, { policy: draft.policy, ...choice });
      announce(`Fitted ${numberOf(found.fitted.length)} of ${numberOf(found.categories.length)} thresholds.`);
      setFits((count) => count + 1);
      return found;
    });
  }

  return (
    <section class="card stack" aria-labelledby="fit-title">
      <h2 id="fit-title">Thresholds from labels</h2>
      <form class="stack" onSubmit={fit}>
        <div class="fields">
          {labelled > 0 && (
            <Field label="Labels">
              <Choice
                values={SOURCES}
                wordsOf={(each) => (each === 'csv' ? 'a CSV' : `labels of this project (${numberOf(labelled)})`)}
                value={source}
                onChoose={setSource}
              />
            </Field>
          )}
          <Field
            label="Wanted false alarms in %"
            hint="Of the texts that are not labelled so. 1 % needs some 800 of them."
          >
            <input name="wanted" type="number" min={0.01} max={50} step="any" defaultValue="1" required />
          </Field>
        </div>
        {isCsv ? (
          <p class="hint">
            A random sample of what you get, not the worst of it.{' '}
            {labelled === 0 && (
              <>
                It can also be fitted to <LabelsLink projectId={projectId} /> of this project, once there are some.
              </>
            )}
          </p>
        ) : (
          <p class="hint">
            Up to 2,000 <LabelsLink projectId={projectId} />, what was said last first. Reviews are of texts that were
            marked or appealed, no random sample: the share of false alarms is of those texts.
          </p>
        )}
        <div class="fields" hidden={!isCsv}>
          <Field label="Labelled CSV">
            <input
              type="file"
              accept=".csv,text/csv"
              required={isCsv}
              onChange={({ currentTarget }) => void choose(currentTarget.files ?? [])}
            />
          </Field>
          <Field label="Label that means yes" hint="Empty: 1, true and numbers from 0.5 on.">
            <input name="positive" spellcheck={false} autocapitalize="off" autocomplete="off" placeholder="1" />
          </Field>
          {file && (
            <>
              <Field label="Text column">
                <ColumnChoice
                  columns={columns}
                  value={textColumn}
                  otherwise="the only one, or text, content, comment, message"
                  onChoose={setTextColumn}
                />
              </Field>
              <Field label="Label column" hint="For all categories that fail a text and have no column of their own.">
                <ColumnChoice columns={columns} value={labelColumn} otherwise="none" onChoose={setLabelColumn} />
              </Field>
            </>
          )}
        </div>
        {file && (
          <details hidden={!isCsv}>
            <summary>Columns of single categories</summary>
            <div class="fields">
              {catalogue.categories.map(({ name }) => (
                <Field key={name} label={`Label column of ${labelOf(name)}`}>
                  <ColumnChoice
                    columns={columns}
                    value={own.get(name) ?? ''}
                    otherwise="none of its own"
                    onChoose={(column) => setOwn(new Map(own).set(name, column))}
                  />
                </Field>
              ))}
            </div>
          </details>
        )}
        <Alert>{problem}</Alert>
        <div class="actions">
          <small>Judges with the policy as it stands here, saved or not. Stores nothing.</small>
          <button class="primary" disabled={isAsking}>
            Fit thresholds
          </button>
        </div>
      </form>
      <div class="stack" id="fit-result" aria-busy={isAsking}>
        {answer && <FitResult key={fits} answer={answer} editing={editing} days={usualPeriod(keptPeriods(kept))} />}
      </div>
    </section>
  );
}

function LabelsLink({ projectId }: { readonly projectId: string }) {
  return <a href={`/dashboard/labels?project=${projectId}`}>labels</a>;
}
