/** How far two people who judge the same decisions agree, and the latest on which they do not. */
import type { Agreement as Answer, AnswerAgreement, Answers } from '../../../reviews/agreement.js';
import { addressWith } from '../decisions/filters.js';
import { Alert } from '../shared/controls.js';
import { FoldingTable } from '../shared/folding-table.js';
import { useAnswer } from '../shared/use-answer.js';
import { numberOf, plainOf } from '../shared/words.js';

export function Agreement({ projectId }: { readonly projectId: string }) {
  const { answer, problem } = useAnswer<Answer>(`/projects/${projectId}/agreement`);
  return (
    <section class="card stack" aria-labelledby="agreement-title" aria-busy={answer === undefined}>
      <h2 id="agreement-title">Agreement</h2>
      <Alert>{problem}</Alert>
      {answer?.pairs === 0 && (
        <p class="hint">
          Of the decisions that are kept none was judged by two people. How many are is said by the{' '}
          <a href={`/dashboard/policies?project=${projectId}`}>policy</a>: “Reviewed by two people”.
        </p>
      )}
      {answer !== undefined && answer.pairs > 0 && <Figures answer={answer} projectId={projectId} />}
    </section>
  );
}

function Figures({ answer, projectId }: { readonly answer: Answer; readonly projectId: string }) {
  const { pairs, passing, categories, differing } = answer;
  const rowOf = (question: string, agreement: AnswerAgreement) => ({
    key: question,
    head: question,
    cells: [`${numberOf(agreement.agreeing)} of ${numberOf(pairs)}`, kappaInWords(agreement.kappa)],
  });
  return (
    <>
      <p class="hint">
        Kappa is 1 where two people always say the same, and 0 where they do as often as by chance. In brackets: where
        it lies, 95 % sure.
      </p>
      <FoldingTable
        headings={['Question', 'Same answer', 'Cohen’s kappa (95 %)']}
        rows={[
          rowOf('passes or fails', passing),
          ...categories.map(({ category, ...agreement }) => rowOf(plainOf(category), agreement)),
        ]}
      />
      {differing.length > 0 && (
        <details>
          <summary>The latest on which two people differ</summary>
          <FoldingTable
            headings={['Decision', 'First', 'Second']}
            rows={differing.map(({ decisionId, first, second }) => ({
              key: decisionId,
              head: (
                <a href={addressWith(projectId, {}, decisionId)}>
                  <code>{decisionId}</code>
                </a>
              ),
              cells: [answersInWords(first), answersInWords(second)],
            }))}
          />
        </details>
      )}
    </>
  );
}

/** "0.68 (0.50 to 0.80)". */
function kappaInWords(kappa: AnswerAgreement['kappa']): string {
  if (kappa === null) return 'not known: all say the same';
  return `${kappa.value.toFixed(2)} (${kappa.interval.map((end) => end.toFixed(2)).join(' to ')})`;
}

function answersInWords({ shouldPass, categories }: Answers): string {
  return `${shouldPass ? 'passes' : 'fails'}, ${categories.map(plainOf).join(', ') || 'nothing in it'}`;
}
