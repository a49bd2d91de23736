/** Decisions to look at, one after another. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRefreshing } from '../overview/use-refreshing.js';
import { announce } from '../shared/announce.js';
import { Alert, Empty } from '../shared/controls.js';
import { ProjectChoice, useOpenProjects } from '../shared/project-choice.js';
import { change, usePlace } from '../shared/router.js';
import { numberOf } from '../shared/words.js';
import { DecisionCard } from './decision-card.js';
import { JudgingForm, useShortcuts } from './judging-form.js';
import { SettingsFields, useReviewSettings } from './review-settings.js';
import { useQueue } from './use-queue.js';

/** The service counts no further. */
const MOST_COUNTED = 1000;
const LOOK_AGAIN_MS = 15_000;

export function ReviewView() {
  const { query } = usePlace();
  const { projects = [], problem } = useOpenProjects();
  const project = query.get('project') ?? undefined;
  return (
    <div class="stack">
      <div class="title">
        <h1>Review</h1>
        <ProjectChoice
          projects={projects}
          project={projects.find(({ id }) => id === project)}
          otherwise="all projects"
          onChoose={(id) => change({ query: { project: id } })}
        />
      </div>
      <Alert>{problem}</Alert>
      <Reviewing key={project} projectId={project} />
      <p class="hint">
        What is said of texts that are kept makes{' '}
        <a href={`/dashboard/labels${project === undefined ? '' : `?project=${project}`}`}>labels</a>, to which
        thresholds are fitted.
      </p>
    </div>
  );
}

function Reviewing({ projectId }: { readonly projectId: string | undefined }) {
  const queue = useQueue(projectId);
  const { settings, change: changeSettings } = useReviewSettings();
  const { current, waiting, judged, problem } = queue;
  const [shown, setShown] = useState<string>();
  const [restedAt, setRestedAt] = useState(0);
  const card = useRef<HTMLElement>(null);
  const isBreak = settings.breakAfter > 0 && judged - restedAt >= settings.breakAfter;
  const isShown = settings.showsTexts || shown === current?.id;

  useEffect(() => {
    if (judged === 0 || isBreak) return;
    // The button that was pressed may be gone.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
    announce(current === null ? 'Nothing is left to review' : 'The next decision');
  }, [current?.id, isBreak]);

  useRefreshing(
    // Only while nothing is at hand.
    current === null ? queue.lookAgain : async () => Promise.resolve(),
    LOOK_AGAIN_MS,
  );

  const show = (): void => setShown(current?.id);
  useShortcuts(settings.hasShortcuts && !isBreak, (key) => {
    if (key === 'u') queue.undo();
    else if (key === 't' && !isShown) show();
    else return false;
    return true;
  });

  const shortcut = (key: string) => settings.hasShortcuts && <kbd>{key}</kbd>;
  return (
    <>
      <div class="title">
        <p class="hint" role="status">
          {waitingInWords(waiting)}, {numberOf(judged)} judged since you opened this page
        </p>
        <button type="button" class="quiet" onClick={queue.undo}>
          Undo {shortcut('U')}
        </button>
      </div>
      <Alert>{problem}</Alert>
      {isBreak ? (
        <Empty title="Time for a break">
          <p>You have judged {numberOf(judged)} decisions. Get up, look out of the window, drink something.</p>
          <button type="button" class="primary" autofocus onClick={() => setRestedAt(judged)}>
            Go on
          </button>
        </Empty>
      ) : (
        <>
          {current && (
            <section
              ref={card}
              class={`card verdict stack ${current.passed ? 'passed' : 'failed'}`}
              tabIndex={-1}
              aria-label="Decision"
            >
              <DecisionCard decision={current} isShown={isShown} onShow={show} shortcut={shortcut('T')} />
              <JudgingForm
                key={current.id}
                decision={current}
                hasShortcuts={settings.hasShortcuts}
                onJudge={queue.judge}
                onSkip={queue.skip}
              />
            </section>
          )}
          {current === null && (
            <Empty title="Nothing to review">
              <p>
                Decisions come here where a policy says so: a category that passes to be reviewed, a band of scores, or
                an appeal; some come to two people. Only projects that keep their decisions have any.
              </p>
              <a class="button" href="/dashboard/policies">
                Policies
              </a>
            </Empty>
          )}
        </>
      )}
      <SettingsFields settings={settings} change={changeSettings} />
    </>
  );
}

function waitingInWords(waiting: number): string {
  return waiting >= MOST_COUNTED ? `${numberOf(MOST_COUNTED)} or more open` : `${numberOf(waiting)} open`;
}
