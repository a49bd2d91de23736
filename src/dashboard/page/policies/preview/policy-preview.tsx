/** Tries a policy that is not saved on texts: on kept ones of the project, pasted ones, or those of a file. */
import { useState } from 'preact/hooks';
import type { KeptResponse } from '../../../routes/decision-schemas.js';
import type { PreviewResponse } from '../../../routes/policy-schemas.js';
import { Choice } from '../../shared/choice.js';
import { Alert, Field } from '../../shared/controls.js';
import { useQuestion } from '../../shared/use-question.js';
import { ColumnChoice } from '../column-choice.js';
import { columnsIn } from '../csv-columns.js';
import type { Draft } from '../drafts.js';
import { keptPeriods, periodInWords, usualPeriod } from './kept-texts.js';
import { askPreview, PreviewResult } from './preview-result.js';

interface ChosenFile {
  readonly content: string;
  /** Undefined of plain text. */
  readonly columns: readonly string[] | undefined;
}

interface PolicyPreviewProps {
  readonly draft: Draft;
  readonly kept: KeptResponse | undefined;
}

export function PolicyPreview({ draft, kept }: PolicyPreviewProps) {
  const { answer, problem, isAsking, ask } = useQuestion<PreviewResponse>();
  const [chosenSource, setChosenSource] = useState<string>();
  const [lines, setLines] = useState('');
  const [file, setFile] = useState<ChosenFile>();
  const [column, setColumn] = useState('');
  const periods = keptPeriods(kept);
  const source = chosenSource ?? usualPeriod(periods)?.toString() ?? 'pasted';
  const days = periods.find((period) => String(period) === source);

  async function choose([chosen]: FileList | readonly []): Promise<void> {
    const content = await chosen?.text();
    const isCsv = /\.csv$/i.test(chosen?.name ?? '');
    setFile(content === undefined ? undefined : { content, columns: isCsv ? columnsIn(content) : undefined });
    setColumn('');
  }

  function texts(): object {
    if (days !== undefined) return { keptDays: days };
    if (source === 'pasted') return { lines };
    if (file?.columns === undefined) return { lines: file?.content ?? '' };
    return { csv: file.content, ...(column !== '' && { textColumn: column }) };
  }

  return (
    <section class="card stack" aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void ask(() => askPreview(draft.projectId, draft.policy, texts()));
        }}
      >
        <div class="fields">
          <Field
            label="Try it on"
            hint={
              periods.length === 0
                ? 'On texts of decisions too, where the policy in force keeps them.'
                : 'Of many kept texts some 2,000 are taken, at equal distances.'
            }
          >
            <Choice
              values={[...periods.map(String), 'pasted', 'file']}
              wordsOf={(each) => SOURCE_WORDS.get(each) ?? `kept texts of ${periodInWords(Number(each))}`}
              value={source}
              onChoose={setChosenSource}
            />
          </Field>
        </div>
        <div hidden={source !== 'pasted'}>
          <Field label="Texts">
            <textarea
              rows={5}
              dir="auto"
              spellcheck={false}
              placeholder="Paste texts, one a line"
              value={lines}
              onInput={({ currentTarget }) => setLines(currentTarget.value)}
            />
          </Field>
        </div>
        <div class="fields" hidden={source !== 'file'}>
          <Field label="File of texts" hint="CSV, or plain text with a text a line.">
            <input
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              required={source === 'file'}
              onChange={({ currentTarget }) => void choose(currentTarget.files ?? [])}
            />
          </Field>
          {file?.columns && (
            <Field label="Column of the texts">
              <ColumnChoice
                columns={file.columns}
                value={column}
                otherwise="the only one, or text, content, comment, message"
                onChoose={setColumn}
              />
            </Field>
          )}
        </div>
        <Alert>{problem}</Alert>
        <div class="actions">
          <small>Compares the policy as it stands here, saved or not, with the one in force. Stores nothing.</small>
          <button class="primary" disabled={isAsking}>
            Preview
          </button>
        </div>
      </form>
      <div class="stack" id="preview-result" aria-busy={isAsking}>
        {answer && <PreviewResult answer={answer} projectId={draft.projectId} />}
      </div>
    </section>
  );
}

const SOURCE_WORDS: ReadonlyMap<string, string> = new Map([
  ['pasted', 'texts that I paste'],
  ['file', 'a file'],
]);
