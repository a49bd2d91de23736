/** What a policy that is not saved would change: texts in, those that are judged otherwise out, the largest changes first. */
import { useState } from 'preact/hooks';
import type { PreviewResponse } from '../../routes/policy-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { Alert, Facts, Field } from '../shared/controls.js';
import { FoldingTable } from '../shared/folding-table.js';
import { useQuestion } from '../shared/use-question.js';
import { labelOf, numberOf } from '../shared/words.js';
import { ColumnChoice } from './column-choice.js';
import { columnsIn } from './csv-columns.js';
import { pathOf, type Draft } from './drafts.js';
import { playgroundLink } from './playground-link.js';

type Changed = PreviewResponse['changed'][number];

interface ChosenFile {
  readonly content: string;
  /** Undefined of plain text. */
  readonly columns: readonly string[] | undefined;
}

export function PolicyPreview({ draft }: { readonly draft: Draft }) {
  const { answer, problem, isAsking, ask } = useQuestion<PreviewResponse>();
  const [lines, setLines] = useState('');
  const [file, setFile] = useState<ChosenFile>();
  const [column, setColumn] = useState('');

  async function choose([chosen]: FileList | readonly []): Promise<void> {
    const content = await chosen?.text();
    const isCsv = /\.csv$/i.test(chosen?.name ?? '');
    setFile(content === undefined ? undefined : { content, columns: isCsv ? columnsIn(content) : undefined });
    setColumn('');
  }

  async function preview(): Promise<PreviewResponse> {
    const csv = { csv: file?.content, ...(column !== '' && { textColumn: column }) };
    const texts = file?.columns === undefined ? { lines: file?.content ?? lines } : csv;
    const path = `${pathOf(draft.projectId)}/preview`;
    const found = await send<PreviewResponse>('POST', path, { policy: draft.policy, ...texts });
    announce(`${numberOf(found.nowFail)} now fail, ${numberOf(found.nowPass)} now pass.`);
    return found;
  }

  return (
    <section class="card stack" aria-labelledby="preview-title">
      <h2 id="preview-title">Preview</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void ask(preview);
        }}
      >
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
        <div class="fields">
          <Field label="Or a file" hint="CSV, or plain text with a text a line. It counts in place of what is pasted.">
            <input
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
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
        {answer && <Result answer={answer} projectId={draft.projectId} />}
      </div>
    </section>
  );
}

function Result({ answer, projectId }: { readonly answer: PreviewResponse; readonly projectId: string }) {
  const { texts, failedBefore, failedAfter, nowFail, nowPass, otherCategories, changed } = answer;
  const all = nowFail + nowPass + otherCategories;
  const rows = changed.map(({ row, text, change, score, before, after }) => ({
    key: row,
    head: (
      <>
        <a class="quoted" dir="auto" href={playgroundLink(projectId, text)}>
          {text}
        </a>
        <small>row {row}</small>
      </>
    ),
    cells: [
      <span class={`badge ${BADGES[change]}`}>{change}</span>,
      score,
      <Outcome {...before} />,
      <Outcome {...after} />,
    ],
  }));
  return (
    <>
      <Facts
        facts={[
          ['Texts', numberOf(texts)],
          ['Failed', `${numberOf(failedBefore)} → ${numberOf(failedAfter)}`],
          ['Now fail', numberOf(nowFail)],
          ['Now pass', numberOf(nowPass)],
          ['Other categories only', numberOf(otherCategories)],
        ]}
      />
      {all === 0 ? (
        <p>Nothing would change for these texts.</p>
      ) : (
        <FoldingTable
          class="changes"
          headings={['Text', 'Change', 'Score', 'In force', 'With the changes']}
          rows={rows}
        />
      )}
      {all > changed.length && <p class="hint">The {numberOf(changed.length)} largest changes are shown.</p>}
    </>
  );
}

const BADGES: Readonly<Record<Changed['change'], string>> = {
  'now fails': 'revoked',
  'now passes': 'active',
  'other categories': '',
};

export function Outcome({ passed, categories }: Changed['before']) {
  return (
    <span>
      {passed ? 'passed' : 'failed'}
      {categories.length > 0 && <small>: {categories.map(labelOf).join(', ')}</small>}
    </span>
  );
}
