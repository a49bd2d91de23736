/** The decisions that were found, newest first, page by page. Their texts are blurred until somebody wants to read them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DecisionWithText } from '../../../decisions/written-decision.js';
import type { Project } from '../../routes/admin-schemas.js';
import type { DecisionSearchResponse } from '../../routes/decision-schemas.js';
import { may } from '../shared/person.js';
import { get } from '../shared/api.js';
import { Alert } from '../shared/controls.js';
import { FoldingTable } from '../shared/folding-table.js';
import { useQuestion } from '../shared/use-question.js';
import { languageOf, momentOf, plainOf } from '../shared/words.js';
import { DeleteReference } from './delete-reference.js';
import { addressWith, questionOf, type Filters } from './filters.js';

interface DecisionListProps {
  readonly project: Project;
  readonly filters: Filters;
}

export function DecisionList({ project, filters }: DecisionListProps) {
  const question = questionOf(project.id, filters).toString();
  const { found, problem, isAsking, ask, more } = useFound(question);
  const [showsTexts, setShowsTexts] = useState(false);
  const { reference } = filters;
  const hasTexts = found?.decisions.some(({ text }) => text !== null) === true;
  return (
    <section class="card stack" aria-label="Found" aria-busy={isAsking}>
      <div class="title">
        <h2>{found === undefined ? 'Looking …' : toldIn(found)}</h2>
        <div class="buttons">
          {hasTexts && (
            <button type="button" aria-pressed={showsTexts} onClick={() => setShowsTexts(!showsTexts)}>
              {showsTexts ? 'Blur texts' : 'Show texts'}
            </button>
          )}
          {may('editor') && (
            <>
              <a class="button quiet" href={`/dashboard/api/decisions/export?${question}&format=csv`} download>
                Export CSV
              </a>
              <a class="button quiet" href={`/dashboard/api/decisions/export?${question}`} download>
                Export JSON Lines
              </a>
            </>
          )}
          {may('editor') && reference !== undefined && (
            <DeleteReference projectId={project.id} reference={reference} onDeleted={() => void ask()} />
          )}
        </div>
      </div>
      <Alert>{problem}</Alert>
      {found && found.decisions.length > 0 && (
        <FoldingTable
          class="decisions"
          headings={['Decision', 'Outcome', 'Categories', 'Language', 'Reference']}
          rows={found.decisions.map((decision) => ({
            key: decision.id,
            head: <Head {...{ decision, showsTexts }} address={addressWith(project.id, filters, decision.id)} />,
            cells: [
              <Outcome {...decision} />,
              decision.categories.map(plainOf).join(', ') || 'none',
              decision.language === null ? '–' : languageOf(decision.language),
              decision.reference === null ? '–' : <code dir="auto">{decision.reference}</code>,
            ],
          }))}
        />
      )}
      {found?.next && (
        <div class="actions">
          <button type="button" disabled={isAsking} onClick={more}>
            {found.decisions.length === 0 ? 'Look further back' : 'More'}
          </button>
        </div>
      )}
    </section>
  );
}

/** What is rare may be further back than one page looks: then somebody is asked before it goes on. */
const MOST_EMPTY_PAGES = 10;

/** All pages so far of what is looked for, and the way to the next one. */
function useFound(question: string) {
  const { problem, isAsking, ask } = useQuestion<undefined>();
  const [found, setFound] = useState<DecisionSearchResponse>();
  const latest = useRef(question);
  async function load(before?: DecisionSearchResponse): Promise<undefined> {
    let page: DecisionSearchResponse = { decisions: [], next: before?.next ?? null };
    for (let asked = 0; asked < MOST_EMPTY_PAGES && page.decisions.length === 0; asked += 1) {
      if (asked > 0 && page.next === null) break;
      const cursor = page.next === null ? '' : `&cursor=${page.next}`;
      page = await get<DecisionSearchResponse>(`/decisions?${question}${cursor}`);
      // Somebody may have looked for something else meanwhile.
      if (latest.current !== question) return;
    }
    setFound({ decisions: [...(before?.decisions ?? []), ...page.decisions], next: page.next });
  }
  useEffect(() => {
    latest.current = question;
    setFound(undefined);
    void ask(() => load());
  }, [question]);
  return { found, problem, isAsking, ask: () => ask(() => load()), more: () => void ask(() => load(found)) };
}

function toldIn({ decisions: { length }, next }: DecisionSearchResponse): string {
  if (length === 0) return next === null ? 'No decisions' : 'None so far';
  return `${length}${next === null ? '' : ' and more'} ${length === 1 && next === null ? 'decision' : 'decisions'}`;
}

interface HeadProps {
  readonly decision: DecisionWithText;
  readonly showsTexts: boolean;
  readonly address: string;
}

function Head({ decision: { at, text, textState, review }, showsTexts, address }: HeadProps) {
  return (
    <>
      <a href={address}>{momentOf(at)}</a>
      {review !== null && <span class="badge"> {review === 'open' ? 'to be reviewed' : `reviewed: ${review}`}</span>}
      {text !== null && (
        <span class={showsTexts ? 'quoted' : 'quoted veil'} dir="auto" aria-hidden={!showsTexts}>
          {text}
        </span>
      )}
      {textState === 'locked' && <small>No key in DECISIONS_KEY opens its text.</small>}
    </>
  );
}

export function Outcome({ passed, score }: Pick<DecisionWithText, 'passed' | 'score'>) {
  return (
    <span class="nowrap">
      <span class={`badge ${passed ? 'active' : 'revoked'}`}>{passed ? 'passed' : 'failed'}</span> {score} of 10
    </span>
  );
}
