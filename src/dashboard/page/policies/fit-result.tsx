/** What a fit found: the thresholds and the highest score that passes, each with what it finds, to be taken into the draft. */
import { useState } from 'preact/hooks';
import type { FitResponse, PreviewResponse } from '../../routes/policy-schemas.js';
import { announce } from '../shared/announce.js';
import { Alert, Facts } from '../shared/controls.js';
import { FoldingTable } from '../shared/folding-table.js';
import { useQuestion } from '../shared/use-question.js';
import { labelOf, numberOf, percentOf } from '../shared/words.js';
import type { Editing } from './drafts.js';
import { policyInForce, type InForce } from './policy-fields.js';
import { ACTION_WORDS, scoreInWords } from './policy-words.js';
import { periodInWords } from './preview/kept-texts.js';
import { askPreview, PreviewResult } from './preview/preview-result.js';
import { doubtsInWords, isTold, shareInWords, thresholdInWords, withFitted } from './threshold-fits.js';

interface FitResultProps {
  readonly answer: FitResponse;
  readonly editing: Editing;
  /** To look back on; undefined where no texts are kept. */
  readonly days: number | undefined;
}

export function FitResult({ answer, editing: { draft, catalogue, change }, days }: FitResultProps) {
  const { texts, leftOut, falseAlarms, categories, failing, fitted } = answer;
  // As it stood when the fit was asked for: what is taken is not what it is compared with.
  const [asked] = useState(() => policyInForce(draft.policy, catalogue));
  const [taken, setTaken] = useState<string>();
  const before = useQuestion<PreviewResponse>();
  const doubts = doubtsInWords(answer);

  function take(): void {
    change(withFitted(draft.policy, answer));
    const message = `Taken: ${fitted.map(labelOf).join(', ')}. Save the policy below.`;
    setTaken(message);
    announce(message);
  }

  /** With the thresholds, whether they were taken or not. */
  const lookBack = (keptDays: number): Promise<PreviewResponse> =>
    askPreview(draft.projectId, taken === undefined ? withFitted(draft.policy, answer) : draft.policy, { keptDays });

  const untaken =
    fitted.length === 0
      ? 'There is nothing to take: the texts are too few to tell.'
      : 'Changes thresholds only, no actions. Holds once the policy is saved.';
  return (
    <>
      <Facts
        facts={[
          ['Texts', numberOf(texts)],
          ['Left out, blank or too long', numberOf(leftOut)],
          ['Wanted false alarms', `at most ${percentOf(falseAlarms)} each`],
        ]}
      />
      <FoldingTable
        class="fits"
        headings={['Category', 'Threshold', 'Found (95 %)', 'False alarms (95 %)']}
        rows={[...categories.filter(isTold).map((each) => categoryRow(each, asked)), wholeRow(failing)]}
      />
      {doubts.length > 0 && (
        <ul class="problems">
          {doubts.map((doubt) => (
            <li key={doubt}>{doubt}</li>
          ))}
        </ul>
      )}
      <div class="actions">
        <small>{taken ?? untaken}</small>
        <button type="button" disabled={fitted.length === 0} onClick={take}>
          Take into form
        </button>
        {days !== undefined && (
          <button type="button" disabled={before.isAsking} onClick={() => void before.ask(() => lookBack(days))}>
            What would have changed in {periodInWords(days)}
          </button>
        )}
      </div>
      <Alert>{before.problem}</Alert>
      <div class="stack" id="fit-preview" aria-busy={before.isAsking}>
        {before.answer && <PreviewResult answer={before.answer} projectId={draft.projectId} />}
      </div>
      <Scores
        scores={answer.scores}
        present={policyInForce(draft.policy, catalogue).passMaxScore}
        onTake={(passMaxScore) => change({ ...draft.policy, passMaxScore })}
      />
    </>
  );
}

function categoryRow({ category, action, before, after }: FitResponse['categories'][number], asked: InForce) {
  return {
    key: category,
    head: (
      <>
        {labelOf(category)}
        <small>{ACTION_WORDS[action]}</small>
      </>
    ),
    cells: [
      <NowAndFitted
        now={thresholdInWords(asked.ruleOf(category).threshold, 'unknown')}
        fitted={thresholdInWords(after.threshold, 'none')}
      />,
      ...shares({ before, after }),
    ],
  };
}

function wholeRow(failing: FitResponse['failing']) {
  return {
    key: 'whole',
    head: (
      <>
        Whole policy<small>what fails, for whatever reason</small>
      </>
    ),
    cells: ['–', ...shares(failing)],
  };
}

const shares = ({ before, after }: FitResponse['failing']) => [
  <NowAndFitted now={shareInWords(before.found)} fitted={shareInWords(after.found)} />,
  <NowAndFitted now={shareInWords(before.falseAlarms)} fitted={shareInWords(after.falseAlarms)} />,
];

function NowAndFitted({ now, fitted }: { readonly now: string; readonly fitted: string }) {
  return (
    <span class="pair">
      <span>
        <small>now </small>
        {now}
      </span>
      <span>
        <small>fitted </small>
        {fitted}
      </span>
    </span>
  );
}

interface ScoresProps {
  readonly scores: FitResponse['scores'];
  readonly present: number;
  readonly onTake: (passMaxScore: number) => void;
}

function Scores({ scores, present, onTake }: ScoresProps) {
  const rows = scores.map(({ passMaxScore, found, falseAlarms }) => ({
    key: passMaxScore,
    head: scoreInWords(passMaxScore),
    cells: [shareInWords(found), shareInWords(falseAlarms)],
    buttons:
      passMaxScore === present ? (
        <span class="badge active">in the form</span>
      ) : (
        <button
          type="button"
          class="quiet"
          aria-label={`Take ${passMaxScore} as the highest score that passes`}
          onClick={() => onTake(passMaxScore)}
        >
          Take
        </button>
      ),
  }));
  return (
    <details>
      <summary>Highest score that passes</summary>
      <p class="hint">What would fail, for whatever reason, with the fitted thresholds and each highest score.</p>
      <FoldingTable class="scores" headings={['Score', 'Found (95 %)', 'False alarms (95 %)']} rows={rows} />
    </details>
  );
}
