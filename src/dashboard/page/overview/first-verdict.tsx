/** The way from nothing to a first verdict: a key, the request in three languages to paste, and the verdict as it comes in. */
import { useState } from 'preact/hooks';
import type { CreatedKeyResponse, Key, Project } from '../../routes/admin-schemas.js';
import type { Overview } from '../../routes/overview/overview-schemas.js';
import { Secret } from '../keys/key-dialogs.js';
import { send } from '../shared/api.js';
import { Alert, CopyButton, Empty, Field } from '../shared/controls.js';
import { may } from '../shared/person.js';
import { useAnswer } from '../shared/use-answer.js';
import { useQuestion } from '../shared/use-question.js';
import { numberOf } from '../shared/words.js';
import { requestSnippets } from './request-snippets.js';

interface FirstVerdictProps {
  readonly total: Overview['total'];
  /** Called once there is a key to try, and when that is done. */
  readonly onWaiting: (isWaiting: boolean) => void;
}

export function FirstVerdict({ total, onWaiting }: FirstVerdictProps) {
  const { answer } = useAnswer<{ keys: Key[] }>('/keys');
  const [key, setKey] = useState<string>();
  if (answer === undefined) return null;
  function show(created: string | undefined): void {
    setKey(created);
    onWaiting(created !== undefined);
  }
  if (key !== undefined) return <Waiting keyText={key} total={total} onDone={() => show(undefined)} />;
  return answer.keys.some(({ lastUsedAt }) => lastUsedAt !== null) ? (
    <Empty title="Nothing was judged in this time">
      <p>Requests with an API key are counted here. Texts are never kept.</p>
      <a class="button" href="/dashboard/keys">
        See the keys
      </a>
    </Empty>
  ) : may('editor') ? (
    <FirstKey onCreated={show} />
  ) : null;
}

function FirstKey({ onCreated }: { readonly onCreated: (key: string) => void }) {
  const { answer } = useAnswer<{ projects: Project[] }>('/projects');
  const { problem, isAsking, ask } = useQuestion<undefined>();
  const [name, setName] = useState('My application');
  const open = answer?.projects.filter(({ archivedAt }) => archivedAt === null) ?? [];
  function create(event: Event): void {
    event.preventDefault();
    void ask(async () => {
      const known = open.find((project) => project.name === name.trim());
      const { id } = known ?? (await send<Project>('POST', '/projects', { name }));
      const wanted = { projectId: id, name: 'first key', environment: 'live' };
      onCreated((await send<CreatedKeyResponse>('POST', '/keys', wanted)).key);
      return undefined;
    });
  }
  return (
    <form class="card first" onSubmit={create}>
      <h2>Get a first verdict</h2>
      <p>Name what will send its texts here, and it gets a key.</p>
      <div class="fields">
        <Field label="Project" hint="One for each application. It can be renamed.">
          <input
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={100}
            list="projects"
          />
        </Field>
        <datalist id="projects">
          {open.map((project) => (
            <option key={project.id} value={project.name} />
          ))}
        </datalist>
      </div>
      <Alert>{problem}</Alert>
      <div class="actions">
        <small>Requests with a key are counted here. Texts are never kept.</small>
        <button class="primary" disabled={isAsking}>
          Create a key
        </button>
      </div>
    </form>
  );
}

interface WaitingProps {
  readonly keyText: string;
  readonly total: Overview['total'];
  readonly onDone: () => void;
}

function Waiting({ keyText, total, onDone }: WaitingProps) {
  const snippets = requestSnippets(location.origin, keyText);
  const [shown, setShown] = useState(0);
  const { title, code } = snippets[shown] ?? { title: '', code: '' };
  return (
    <section class="card first" aria-label="First verdict">
      <h2>Your key</h2>
      <Secret keyText={keyText} />
      <div class="title">
        <h2>Send a text</h2>
        <div class="segmented" role="group" aria-label="Language">
          {snippets.map((each, index) => (
            <button key={each.title} type="button" aria-pressed={index === shown} onClick={() => setShown(index)}>
              {each.title}
            </button>
          ))}
        </div>
      </div>
      <div class="snippet">
        <CopyButton key={title} text={() => code} label={`Copy ${title}`} />
        <pre tabIndex={0} role="region" aria-label={title}>
          {code}
        </pre>
      </div>
      <div class="actions" aria-live="polite">
        {total.requests === 0 ? (
          <p class="state">Waiting for the first verdict …</p>
        ) : (
          <p class="state arrived">
            The first verdict is here: {numberOf(total.requests - total.flagged)} passed, {numberOf(total.flagged)}{' '}
            failed.
          </p>
        )}
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
