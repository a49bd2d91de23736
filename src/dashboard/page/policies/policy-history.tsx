/** The versions of a policy: what each changed, when and by whom, and the way back to it. */
import { useState } from 'preact/hooks';
import type { HistoryResponse, PolicyResponse } from '../../routes/policy-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { Alert } from '../shared/controls.js';
import { FormDialog } from '../shared/dialog.js';
import { FoldingTable } from '../shared/folding-table.js';
import { may } from '../shared/person.js';
import { useAnswer } from '../shared/use-answer.js';
import { momentOf } from '../shared/words.js';
import { isChanged, loadInto, pathOf, type Draft } from './drafts.js';
import { changeInWords, editorInWords } from './policy-words.js';

type Version = HistoryResponse['versions'][number];

const HEADINGS = ['Version', 'When', 'By', 'What changed'];

export function PolicyHistory({ draft }: { readonly draft: Draft }) {
  const { answer, problem } = useAnswer<HistoryResponse>(`${pathOf(draft.projectId)}/history`, draft.base.version);
  const [restoring, setRestoring] = useState<number>();
  const { versions = [], oldest = 0 } = answer ?? {};
  const present = versions[0]?.version ?? 0;

  async function restore(version: number): Promise<void> {
    const path = `${pathOf(draft.projectId)}/restore`;
    loadInto(draft, await send<PolicyResponse>('POST', path, { version, baseVersion: present }), false);
    announce(`Restored ${nameOf(version)}`);
    setRestoring(undefined);
  }

  const buttonOf = (version: number) =>
    version === present ? (
      <span class="badge active">in force</span>
    ) : (
      may('editor') && (
        <button
          type="button"
          class="quiet"
          aria-label={`Restore ${nameOf(version)}`}
          onClick={() => setRestoring(version)}
        >
          Restore
        </button>
      )
    );
  const rows = versions.map((each) => ({
    key: each.version,
    head: each.version,
    cells: [momentOf(each.at), editorInWords(each.by), <span>{changesInWords(each)}</span>],
    buttons: buttonOf(each.version),
  }));
  const noPolicy = {
    key: 0,
    head: 0,
    cells: ['–', '–', 'no policy: the settings of the service'],
    buttons: buttonOf(0),
  };
  return (
    <section class="card" tabIndex={-1} aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <Alert>{problem}</Alert>
      {answer && versions.length === 0 && <p class="hint">Nothing was saved yet.</p>}
      {versions.length > 0 && (
        <FoldingTable class="versions" headings={HEADINGS} rows={oldest === 0 ? [...rows, noPolicy] : rows} />
      )}
      {oldest > 0 && <p class="hint">Versions before {oldest} are not kept.</p>}
      {restoring !== undefined && (
        <FormDialog
          title={restoring === 0 ? 'Go back to no policy?' : `Restore version ${restoring}?`}
          action="Restore"
          onSubmit={() => restore(restoring)}
          onClose={() => setRestoring(undefined)}
        >
          <p>It is in force at once, as a new version. The present one stays in the history.</p>
          {isChanged(draft) && <p class="warning">Your unsaved changes are dropped.</p>}
        </FormDialog>
      )}
    </section>
  );
}

const nameOf = (version: number): string => (version === 0 ? 'no policy' : `version ${version}`);

function changesInWords(version: Version): string {
  const { restored, changed } = version;
  const words = changed?.map((field) => changeInWords(field, version)) ?? ['what it changed is not known any more'];
  const origin = restored === 0 ? 'back to no policy' : `version ${restored ?? ''} restored`;
  return [...(restored === undefined ? [] : [origin]), ...words].join('; ');
}
