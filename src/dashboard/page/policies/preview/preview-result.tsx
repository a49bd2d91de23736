/** What a policy that is not saved would change: how much of what was tried, and which texts, the largest changes first. */
import { useState } from 'preact/hooks';
import type { PolicyFields } from '../../../../policies/policy-schema.js';
import type { PreviewResponse } from '../../../routes/policy-schemas.js';
import { addressWith } from '../../decisions/filters.js';
import { announce } from '../../shared/announce.js';
import { send } from '../../shared/api.js';
import { Facts } from '../../shared/controls.js';
import { FoldingTable } from '../../shared/folding-table.js';
import { labelOf, numberOf } from '../../shared/words.js';
import { pathOf } from '../drafts.js';
import { playgroundLink } from '../playground-link.js';

type Changed = PreviewResponse['changed'][number];

/** @param texts the members of the body that say which @throws ApiError */
export async function askPreview(projectId: string, policy: PolicyFields, texts: object): Promise<PreviewResponse> {
  const found = await send<PreviewResponse>('POST', `${pathOf(projectId)}/preview`, { policy, ...texts });
  announce(`${numberOf(found.nowFail)} now fail, ${numberOf(found.nowPass)} now pass.`);
  return found;
}

interface PreviewResultProps {
  readonly answer: PreviewResponse;
  readonly projectId: string;
}

export function PreviewResult({ answer, projectId }: PreviewResultProps) {
  const { texts, decisions, failedBefore, failedAfter, nowFail, nowPass, otherCategories, changed } = answer;
  const [showsTexts, setShowsTexts] = useState(false);
  const all = nowFail + nowPass + otherCategories;
  const rows = changed.map((each) => ({
    key: each.row,
    head: <Head changed={each} projectId={projectId} showsTexts={showsTexts} />,
    cells: [
      <span class={`badge ${BADGES[each.change]}`}>{each.change}</span>,
      each.score,
      <Outcome {...each.before} />,
      <Outcome {...each.after} />,
    ],
  }));
  return (
    <>
      <Facts
        facts={[
          ['Texts', decisions === null ? numberOf(texts) : `${numberOf(texts)} of ${numberOf(decisions)} decisions`],
          ['Failed', `${numberOf(failedBefore)} → ${numberOf(failedAfter)}`],
          ['Now fail', numberOf(nowFail)],
          ['Now pass', numberOf(nowPass)],
          ['Other categories only', numberOf(otherCategories)],
        ]}
      />
      {decisions !== null && changed.length > 0 && (
        <div class="buttons">
          <button type="button" aria-pressed={showsTexts} onClick={() => setShowsTexts(!showsTexts)}>
            {showsTexts ? 'Blur texts' : 'Show texts'}
          </button>
        </div>
      )}
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

interface HeadProps {
  readonly changed: Changed;
  readonly projectId: string;
  /** Texts of others are blurred until somebody wants to read them. */
  readonly showsTexts: boolean;
}

function Head({ changed: { row, text, decisionId }, projectId, showsTexts }: HeadProps) {
  if (decisionId === undefined) {
    return (
      <>
        <a class="quoted" dir="auto" href={playgroundLink(projectId, text)}>
          {text}
        </a>
        <small>row {row}</small>
      </>
    );
  }
  return (
    <>
      <span class={showsTexts ? 'quoted' : 'quoted veil'} dir="auto" aria-hidden={!showsTexts}>
        {text}
      </span>
      <a href={addressWith(projectId, {}, decisionId)}>
        <code>{decisionId}</code>
      </a>
    </>
  );
}

export function Outcome({ passed, categories }: Changed['before']) {
  return (
    <span>
      {passed ? 'passed' : 'failed'}
      {categories.length > 0 && <small>: {categories.map(labelOf).join(', ')}</small>}
    </span>
  );
}
