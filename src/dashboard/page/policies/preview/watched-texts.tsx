/** A few texts beside the sliders, one's own or kept ones of the project: what the policy as it stands makes of each, at once, and what is in force. */
import { useEffect, useState } from 'preact/hooks';
import type { PlaygroundResponse } from '../../../routes/admin-schemas.js';
import type { DecisionSearchResponse, KeptResponse } from '../../../routes/decision-schemas.js';
import { announce } from '../../shared/announce.js';
import { get, send } from '../../shared/api.js';
import { Alert, Field } from '../../shared/controls.js';
import { useQuestion } from '../../shared/use-question.js';
import { messageOf } from '../../shared/words.js';
import type { Draft } from '../drafts.js';
import { playgroundLink } from '../playground-link.js';
import { keptPeriods, linesNearBorder } from './kept-texts.js';
import { Outcome } from './preview-result.js';

const MOST_TEXTS = 8;
/** Of the latest decisions, to choose of. */
const LATEST = 100;
/** A slider that is being moved asks once it rests that long. */
const RESTS_MS = 200;

type Analysis = PlaygroundResponse['analysis'];

interface Watched {
  readonly text: string;
  readonly before: Analysis;
  readonly after: Analysis;
}

/** Texts outlive a look at another view, as drafts do. */
let typedLast = '';

export function forgetWatchedTexts(): void {
  typedLast = '';
}

interface WatchedTextsProps {
  readonly draft: Draft;
  readonly kept: KeptResponse | undefined;
}

export function WatchedTexts({ draft: { projectId, base, policy }, kept }: WatchedTextsProps) {
  const [typed, setTyped] = useState(typedLast);
  const [watched, setWatched] = useState<readonly Watched[]>([]);
  const [problem, setProblem] = useState<string>();
  const filling = useQuestion<undefined>();
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const texts = [...new Set(lines)].slice(0, MOST_TEXTS);

  useEffect(() => {
    typedLast = typed;
    let isLatest = true;
    const timer = setTimeout(() => {
      Promise.all(texts.map((text) => watch(projectId, policy, text)))
        .then((found) => {
          if (!isLatest) return;
          setWatched(found);
          setProblem(undefined);
        })
        .catch((error: unknown) => {
          if (isLatest) setProblem(messageOf(error));
        });
    }, RESTS_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [projectId, base, policy, texts.join('\n')]);

  async function fill(): Promise<undefined> {
    const question = new URLSearchParams({ projectId, limit: String(LATEST) });
    const { decisions } = await get<DecisionSearchResponse>(`/decisions?${question}`);
    const more = linesNearBorder(decisions, base.resolved.passMaxScore).filter((line) => !texts.includes(line));
    if (more.length === 0) throw new Error('The latest decisions have no other texts that can be read.');
    const added = more.slice(0, MOST_TEXTS - texts.length);
    setTyped([...texts, ...added].join('\n'));
    announce(`${added.length} kept texts added`);
  }

  return (
    <section class="card stack watched" aria-labelledby="watched-title">
      <h2 id="watched-title">Texts to watch</h2>
      <Field
        label="A few texts"
        hint={`One a line, ${MOST_TEXTS} at most. They are judged as you change the policy, and kept nowhere.`}
      >
        <textarea
          rows={4}
          dir="auto"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Field>
      {lines.length > MOST_TEXTS && <p class="hint">The first {MOST_TEXTS} are watched. “Preview” takes more.</p>}
      {keptPeriods(kept).length > 0 && (
        <button
          type="button"
          disabled={filling.isAsking || texts.length === MOST_TEXTS}
          onClick={() => void filling.ask(fill)}
        >
          Add kept texts near the border
        </button>
      )}
      <Alert>{filling.problem ?? problem}</Alert>
      <ul aria-live="polite">
        {watched.map(({ text, before, after }) => (
          <li key={text} class={after.passed ? 'passed' : 'failed'}>
            <a class="quoted" dir="auto" href={playgroundLink(projectId, text)}>
              {text}
            </a>
            <span>
              <Outcome {...after} />
              {before.passed !== after.passed && (
                <small class="was"> (in force: {before.passed ? 'passed' : 'failed'})</small>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function watch(projectId: string, policy: Draft['policy'], content: string): Promise<Watched> {
  const [before, after] = await Promise.all([
    send<PlaygroundResponse>('POST', '/playground', { content, projectId }),
    send<PlaygroundResponse>('POST', '/playground', { content, policy }),
  ]);
  return { text: content, before: before.analysis, after: after.analysis };
}
