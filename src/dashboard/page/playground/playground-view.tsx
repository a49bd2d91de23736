/** A place to try texts: what the service, or the policy of a project, says of one, and what it saw. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlaygroundResponse, Project } from '../../routes/admin-schemas.js';
import { isChanged, useEditing, type Editing } from '../policies/drafts.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { Alert, CopyButton, Empty, Field } from '../shared/controls.js';
import { ProjectChoice, useOpenProjects } from '../shared/project-choice.js';
import { addressOf, change, usePlace } from '../shared/router.js';
import { messageOf } from '../shared/words.js';
import { settingsIn, withSettings } from './shared-settings.js';
import { remember, TriedTexts } from './tried-texts.js';
import { Trial } from './trial.js';
import { LabelBars, Verdict } from './verdict.js';

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['Kind', 'Thank you so much, this was lovely. You made my whole week!'],
  ['Rude', 'The talk was fine until you opened your mouth. You are a stupid idiot, shut up.'],
  ['Disguised', 'y0u are such a st*pid 1d1ot, n0b0dy l1kes you'],
  ['Threat', 'I know where you live. I will find you and hurt you.'],
  ['Spam', 'Congratulations!!! You won a FREE iPhone. Click here to claim your prize now: win-big.example'],
  ['Harmless, alarming words', 'This workout is killing me, but the new shooter game is the bomb.'],
];

export function PlaygroundView() {
  const { query } = usePlace();
  const { projects, problem } = useOpenProjects();
  const project = projects?.find(({ id }) => id === query.get('project'));
  return (
    <div class="stack">
      <h1>Playground</h1>
      <Alert>{problem}</Alert>
      {projects &&
        (project === undefined ? (
          <Judging key="service" projects={projects} />
        ) : (
          <ProjectJudging key={project.id} projects={projects} project={project} />
        ))}
    </div>
  );
}

function ProjectJudging({ projects, project }: { readonly projects: readonly Project[]; readonly project: Project }) {
  const { fragment } = usePlace();
  const { editing, problem } = useEditing(project.id);
  const settings = fragment.get('policy');
  const isReady = editing !== undefined;
  useEffect(() => {
    if (editing === undefined || settings === null) return;
    change({ fragment: { policy: undefined } }, true);
    // What somebody has typed is not replaced by a link.
    if (isChanged(editing.draft)) return;
    void withSettings(editing.draft.policy, settings).then((policy) => policy && editing.change(policy));
  }, [isReady, settings]);
  if (editing === undefined || settings !== null) return <Alert>{problem}</Alert>;
  return <Judging projects={projects} trial={{ project, editing }} />;
}

interface JudgingProps {
  readonly projects: readonly Project[];
  readonly trial?: { readonly project: Project; readonly editing: Editing };
}

interface Judged {
  readonly content: string;
  readonly answer: PlaygroundResponse;
}

function Judging({ projects, trial }: JudgingProps) {
  const { fragment } = usePlace();
  const asked = fragment.get('text') ?? '';
  const [text, setText] = useState(asked);
  const [judged, setJudged] = useState<Judged>();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const [round, setRound] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const judgeAgain = (): void => setRound((count) => count + 1);

  useEffect(() => setText(asked), [asked]);

  useEffect(() => {
    if (asked === '') return undefined;
    let isLatest = true;
    setIsAsking(true);
    setProblem(undefined);
    send<PlaygroundResponse>('POST', '/playground', { content: asked, ...(trial && settingsToAsk(trial)) })
      .then((answer) => {
        if (!isLatest) return;
        setJudged({ content: asked, answer });
        remember(asked, answer.analysis);
        announce(answer.analysis.description);
      })
      .catch((error: unknown) => {
        if (!isLatest) return;
        // What stands there is of an earlier text, or of another policy.
        setJudged(undefined);
        setProblem(messageOf(error));
      })
      .finally(() => {
        if (isLatest) setIsAsking(false);
      });
    return () => void (isLatest = false);
  }, [asked, round]);

  /** "Back" leads to the text that was judged before. */
  function judge(content: string): void {
    setText(content);
    if (content === asked) judgeAgain();
    else change({ fragment: { text: content } });
  }

  const labels = judged?.answer.analysis.details?.labels;
  return (
    <div class="halves">
      <form
        ref={form}
        class="card stack stays"
        onSubmit={(event) => {
          event.preventDefault();
          judge(text);
        }}
      >
        <div class="title">
          <ProjectChoice
            projects={projects}
            project={trial?.project}
            label="Judge as"
            otherwise="the settings of the service"
            onChoose={(id) => change({ query: { project: id }, fragment: { text: text === '' ? undefined : text } })}
          />
          {trial && <CopyButton text={() => linkTo(trial)} label="Copy link to these settings" />}
        </div>
        <Field label="Text">
          <textarea
            rows={7}
            dir="auto"
            required
            maxLength={20_000}
            autofocus
            spellcheck={false}
            placeholder="Type or paste a text"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              form.current?.requestSubmit();
            }}
          />
        </Field>
        <div class="actions">
          <small>
            Judged as your API would, and counted for no key. The text stands in the address of this page, behind the #,
            which reaches no server.
          </small>
          <button class="primary">
            Judge <kbd>Ctrl ⏎</kbd>
          </button>
        </div>
        <Alert>{problem}</Alert>
        <div class="examples" role="group" aria-label="Examples">
          {EXAMPLES.map(([name, example]) => (
            <button key={name} type="button" class="chip" onClick={() => judge(example)}>
              {name}
            </button>
          ))}
        </div>
        <TriedTexts onChoose={judge} />
      </form>
      <div class="result" aria-busy={isAsking}>
        {judged === undefined ? (
          <Empty title="No verdict yet">
            <p>Write a text, or choose an example, to see what the model sees.</p>
          </Empty>
        ) : (
          <Verdict {...judged} />
        )}
        {judged && trial === undefined && <LabelBars answer={judged.answer} />}
        {trial && <Trial {...trial} labels={labels} onTried={judgeAgain} />}
        {judged && <Snippets {...judged} />}
      </div>
    </div>
  );
}

const settingsToAsk = ({ project, editing: { draft } }: NonNullable<JudgingProps['trial']>): object => ({
  projectId: project.id,
  ...(isChanged(draft) && { policy: draft.policy }),
});

/** Without the text. */
function linkTo({ project, editing: { draft } }: NonNullable<JudgingProps['trial']>): string {
  const settings = new URLSearchParams({ policy: settingsIn(draft.policy) });
  return location.origin + addressOf('/dashboard/playground', new URLSearchParams({ project: project.id }), settings);
}

function Snippets({ content, answer: { analysis } }: Judged) {
  const body = JSON.stringify({ content }).replaceAll("'", String.raw`'\''`);
  const curl = [
    `curl -s '${location.origin}/v1/analyze?details=true' \\`,
    `  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
  return (
    <div class="stack">
      <Snippet title="JSON" code={JSON.stringify(analysis, null, 2)} />
      <Snippet title="curl" code={curl} />
    </div>
  );
}

function Snippet({ title, code }: { readonly title: string; readonly code: string }) {
  return (
    <details class="card snippet">
      <summary>{title}</summary>
      <CopyButton text={() => code} label={`Copy ${title}`} />
      <pre tabIndex={0} role="region" aria-label={title}>
        {code}
      </pre>
    </details>
  );
}
