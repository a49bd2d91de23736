/** One decision with all that is kept of it. Its text is blurred until somebody wants to read it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { DecisionWithText } from '../../../decisions/written-decision.js';
import { playgroundLink } from '../policies/playground-link.js';
import { Alert, CopyButton, Facts, Named } from '../shared/controls.js';
import { go } from '../shared/router.js';
import { may } from '../shared/person.js';
import { useAnswer } from '../shared/use-answer.js';
import { languageOf, momentOf, plainOf } from '../shared/words.js';
import { Outcome } from './decision-list.js';
import { DeleteReference } from './delete-reference.js';

interface OpenDecisionProps {
  readonly id: string;
  /** The list. */
  readonly back: string;
}

export function OpenDecision({ id, back }: OpenDecisionProps) {
  const { answer: decision, problem } = useAnswer<DecisionWithText>(`/decisions/${encodeURIComponent(id)}`);
  const [dialog, setDialog] = useState<ComponentChildren>();
  return (
    <section class="card stack" aria-label="Decision">
      <div class="title">
        <a class="button quiet" href={back}>
          ← All decisions
        </a>
        <div class="buttons">
          {typeof decision?.text === 'string' && (
            <a class="button quiet" href={playgroundLink(decision.projectId, decision.text)}>
              Open in playground
            </a>
          )}
          {may('editor') && typeof decision?.reference === 'string' && (
            <button
              type="button"
              class="quiet danger"
              onClick={() =>
                setDialog(
                  <DeleteReference
                    projectId={decision.projectId}
                    reference={decision.reference ?? ''}
                    onDeleted={() => go(back)}
                    onClose={() => setDialog(undefined)}
                  />,
                )
              }
            >
              Delete reference
            </button>
          )}
        </div>
      </div>
      <Alert>{problem}</Alert>
      {decision && (
        <>
          <TextOf decision={decision} />
          <Facts facts={factsOf(decision)} />
        </>
      )}
      {dialog}
    </section>
  );
}

function TextOf({ decision: { text, textState } }: { readonly decision: DecisionWithText }) {
  const [isShown, setIsShown] = useState(false);
  if (text === null) return <p class="hint">{NO_TEXT[textState]}</p>;
  return (
    <div>
      <button type="button" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? 'Blur text' : 'Show text'}
      </button>
      <p class={isShown ? 'marked' : 'marked veil'} dir="auto" aria-hidden={!isShown}>
        {text}
      </p>
    </div>
  );
}

const NO_TEXT: Readonly<Record<DecisionWithText['textState'], string>> = {
  shown: '',
  'not kept': 'Its text is not kept.',
  withheld: 'Texts are shown to reviewers and above.',
  locked: 'No key in DECISIONS_KEY opens its text: it was encrypted with another one.',
};

function factsOf(decision: DecisionWithText) {
  const { language, policyVersion, reference, review } = decision;
  return [
    ['Outcome', <Outcome {...decision} />] as const,
    [
      'Categories',
      decision.categories.length === 0
        ? 'none'
        : decision.categories.map((name) => (
            <div key={name}>
              <Named words={plainOf(name)} name={name} />
            </div>
          )),
    ] as const,
    ...(language === null ? [] : [['Language', languageOf(language)] as const]),
    ['Decided', momentOf(decision.at)] as const,
    ['Policy', policyVersion === null ? 'the settings of the service' : `version ${policyVersion}`] as const,
    ['Asked at', <code>{decision.door}</code>] as const,
    ...(reference === null ? [] : [['Reference', <code dir="auto">{reference}</code>] as const]),
    ...(review === null ? [] : [['Review', review === 'open' ? 'to be reviewed' : review] as const]),
    ['Deleted', `by ${momentOf(decision.deleteAt)}`] as const,
    ['Key', <code>{decision.keyId}</code>] as const,
    ['Request', <code>{decision.requestId}</code>] as const,
    [
      'Id',
      <>
        <code>{decision.id}</code> <CopyButton text={() => decision.id} />
      </>,
    ] as const,
  ];
}
