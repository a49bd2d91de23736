/** Takes in a file of labelled texts, and says beforehand what has to be in it. The service reads it. */
import { LABEL_CATEGORIES } from '../../../moderation/categories.js';
import type { LabelImportResponse } from '../../labelling/label-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { Alert, Field } from '../shared/controls.js';
import { useQuestion } from '../shared/use-question.js';
import { numberOf } from '../shared/words.js';

interface LabelImportProps {
  readonly projectId: string;
  readonly canKeep: boolean;
  readonly onImported: () => Promise<void>;
}

const EXAMPLE = `text,should_pass,insult
"See you tomorrow at nine",1,0
"You are an idiot",0,1`;

export function LabelImport({ projectId, canKeep, onImported }: LabelImportProps) {
  return (
    <section class="card stack" aria-labelledby="import-title">
      <h2 id="import-title">Import</h2>
      {canKeep ? (
        <ImportForm projectId={projectId} onImported={onImported} />
      ) : (
        <p class="warning">
          Labelled texts are kept encrypted, and this server has no key for that. Set <code>DECISIONS_KEY</code> to what{' '}
          <code>npx parapet decisions new-key</code> prints, and start it anew.
        </p>
      )}
    </section>
  );
}

function ImportForm({ projectId, onImported }: Omit<LabelImportProps, 'canKeep'>) {
  const { answer, problem, isAsking, ask } = useQuestion<LabelImportResponse>();

  function submit(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void {
    event.preventDefault();
    const form = event.currentTarget;
    const file = new FormData(form).get('file');
    if (!(file instanceof File)) return;
    void ask(async () => {
      const content = await file.text();
      const body = /\.(?:jsonl|ndjson|json)$/i.test(file.name) ? { jsonl: content } : { csv: content };
      const found = await send<LabelImportResponse>('POST', `/projects/${projectId}/labels/import`, body);
      form.reset();
      announce(importedInWords(found));
      await onImported();
      return found;
    });
  }

  return (
    <form class="stack" onSubmit={submit}>
      <Field
        label="CSV or JSON Lines"
        hint="A row for each text, 20,000 and 8 MB at most. What is said of a text that was imported before is added to it."
      >
        <input id="label-file" name="file" type="file" accept=".csv,.jsonl,.ndjson,text/csv" required />
      </Field>
      <details open>
        <summary>Columns that it needs</summary>
        <div class="stack columns">
          <ul>
            <li>
              <code>text</code>
            </li>
            <li>
              At least one of <code>{['should_pass', ...LABEL_CATEGORIES].join(', ')}</code>: 1 or true, 0 or false, and
              nothing where nobody knows.
            </li>
            <li>
              <code>language</code>, where you have it: en, pt-BR.
            </li>
          </ul>
          <pre tabIndex={0}>{EXAMPLE}</pre>
          <p class="hint">
            Other columns are left out. In JSON Lines they are members of an object a line. An export can be imported.
          </p>
        </div>
      </details>
      <Alert>{problem}</Alert>
      <div class="actions">
        <small>{answer ? importedInWords(answer) : 'Texts are kept encrypted until they are deleted.'}</small>
        <button class="primary" disabled={isAsking}>
          Import labels
        </button>
      </div>
    </form>
  );
}

function importedInWords({ taken, leftOut }: LabelImportResponse): string {
  const some = `${numberOf(taken)} ${taken === 1 ? 'row' : 'rows'} taken.`;
  if (leftOut === 0) return some;
  return `${some} ${numberOf(leftOut)} left out: the text is blank or too long, or no label says anything of it.`;
}
