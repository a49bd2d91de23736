/** Projects with their keys: those in use, and those that are archived. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CreatedKeyResponse, Key, Project } from '../../routes/admin-schemas.js';
import { Alert, Empty } from '../shared/controls.js';
import { may } from '../shared/person.js';
import { change, usePlace } from '../shared/router.js';
import { useAnswer } from '../shared/use-answer.js';
import { momentOf } from '../shared/words.js';
import {
  ArchiveProject,
  CreateKey,
  CreateProject,
  NewKey,
  RenameProject,
  RestoreProject,
  RevokeKey,
  RotateKey,
} from './key-dialogs.js';
import { isActive, KeyTable } from './key-table.js';
import { WebhookDialog } from './webhook-dialog.js';

export function KeysView() {
  const { query } = usePlace();
  const projects = useAnswer<{ projects: Project[] }>('/projects');
  const keys = useAnswer<{ keys: Key[] }>('/keys');
  const [dialog, setDialog] = useState<ComponentChildren>();
  async function refresh(): Promise<void> {
    await Promise.all([projects.refresh(), keys.refresh()]);
  }
  const context = { refresh, onClose: () => setDialog(undefined) };
  const showKey = (created: CreatedKeyResponse): void =>
    setDialog(<NewKey created={created} onClose={context.onClose} />);

  const mayChange = may('editor');
  const showsEnded = query.has('ended');
  const all = projects.answer?.projects ?? [];
  const open = all.filter(({ archivedAt }) => archivedAt === null);
  const archived = all.filter(isArchived).sort((one, other) => other.archivedAt.localeCompare(one.archivedAt));
  const keysOf = ({ name }: Project): Key[] => keys.answer?.keys.filter(({ project }) => project === name) ?? [];
  const endedCount = open.flatMap(keysOf).filter((key) => !isActive(key)).length;
  const isKnown = projects.answer !== undefined && keys.answer !== undefined;

  return (
    <div class="stack">
      <div class="title">
        <h1>Projects and keys</h1>
        {mayChange && (
          <button type="button" class="primary" onClick={() => setDialog(<CreateProject {...context} />)}>
            New project
          </button>
        )}
      </div>
      <Alert>{projects.problem ?? keys.problem}</Alert>
      {endedCount > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={showsEnded}
            onChange={() => change({ query: { ended: showsEnded ? undefined : '1' } }, true)}
          />
          Show ended keys ({endedCount})
        </label>
      )}
      {isKnown &&
        open.map((project) => (
          <OpenProject
            key={project.id}
            project={project}
            keys={keysOf(project)}
            showsEnded={showsEnded}
            buttons={
              <>
                {mayChange && (
                  <>
                    <button
                      type="button"
                      class="quiet"
                      onClick={() => setDialog(<RenameProject {...context} project={project} />)}
                    >
                      Rename
                    </button>
                    <button
                      type="button"
                      class="quiet"
                      onClick={() =>
                        setDialog(
                          <ArchiveProject
                            {...context}
                            project={project}
                            activeKeys={keysOf(project).filter(isActive).length}
                          />,
                        )
                      }
                    >
                      Archive
                    </button>
                  </>
                )}
                <a
                  class="button quiet"
                  href={`/dashboard/policies?project=${project.id}`}
                  aria-label={`Policy of ${project.name}`}
                >
                  Policy
                </a>
                {mayChange && (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Webhook of ${project.name}`}
                    onClick={() => setDialog(<WebhookDialog project={project} onClose={context.onClose} />)}
                  >
                    Webhook
                  </button>
                )}
                {mayChange && (
                  <button
                    type="button"
                    onClick={() => setDialog(<CreateKey {...context} project={project} showKey={showKey} />)}
                  >
                    Create API key
                  </button>
                )}
              </>
            }
            buttonsOf={(key) =>
              mayChange && (
                <>
                  {key.replacedBy === null && (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Rotate ${key.name}`}
                      onClick={() => setDialog(<RotateKey {...context} record={key} showKey={showKey} />)}
                    >
                      Rotate
                    </button>
                  )}
                  <button
                    type="button"
                    class="quiet danger"
                    aria-label={`Revoke ${key.name}`}
                    onClick={() => setDialog(<RevokeKey {...context} record={key} />)}
                  >
                    Revoke
                  </button>
                </>
              )
            }
          />
        ))}
      {isKnown && open.length === 0 && (
        <Empty title={archived.length === 0 ? 'No projects yet' : 'All projects are archived'}>
          <p>A project holds the keys of one application.{mayChange && ' Create one, then give it a key.'}</p>
        </Empty>
      )}
      {archived.length > 0 && (
        <details class="card archived">
          <summary>Archived projects ({archived.length})</summary>
          {archived.map((project) => (
            <section key={project.id} id={project.id} tabIndex={-1} aria-label={project.name}>
              <div class="title">
                <div>
                  <h2>{project.name}</h2>
                  <p class="hint">
                    Archived {momentOf(project.archivedAt)}
                    {keysOf(project).length === 0 && ', without keys'}
                  </p>
                </div>
                {mayChange && (
                  <button type="button" onClick={() => setDialog(<RestoreProject {...context} project={project} />)}>
                    Restore
                  </button>
                )}
              </div>
              {keysOf(project).length > 0 && <KeyTable keys={keysOf(project)} buttonsOf={() => ''} />}
            </section>
          ))}
        </details>
      )}
      {dialog}
    </div>
  );
}

interface OpenProjectProps {
  readonly project: Project;
  readonly keys: readonly Key[];
  readonly showsEnded: boolean;
  readonly buttons: ComponentChildren;
  readonly buttonsOf: (key: Key) => ComponentChildren;
}

function OpenProject({ project, keys, showsEnded, buttons, buttonsOf }: OpenProjectProps) {
  const shown = showsEnded ? keys : keys.filter(isActive);
  return (
    <section class="card" id={project.id} tabIndex={-1} aria-label={project.name}>
      <div class="title">
        <h2>{project.name}</h2>
        <div class="buttons">{buttons}</div>
      </div>
      {!keys.some(isActive) && <p class="hint">No active key.</p>}
      {shown.length > 0 && <KeyTable keys={shown} buttonsOf={buttonsOf} />}
    </section>
  );
}

function isArchived(project: Project): project is Project & { readonly archivedAt: string } {
  return project.archivedAt !== null;
}
