/** The policy of a project: choose one, change, preview, fit and save its policy, go back to an earlier version. */
import type { ComponentChildren } from 'preact';
import type { Project } from '../../routes/admin-schemas.js';
import type { KeptResponse } from '../../routes/decision-schemas.js';
import { Alert, Empty } from '../shared/controls.js';
import { may } from '../shared/person.js';
import { ProjectChoice, useOpenProjects } from '../shared/project-choice.js';
import { change, usePlace } from '../shared/router.js';
import { useAnswer } from '../shared/use-answer.js';
import { useEditing, type Editing } from './drafts.js';
import { PolicyFit } from './policy-fit.js';
import { PolicyHistory } from './policy-history.js';
import { PolicyKeep } from '../decisions/policy-keep.js';
import { PolicyPreview } from './preview/policy-preview.js';
import { PolicyRules } from './policy-rules.js';
import { PolicyTerms } from './policy-terms.js';
import { SaveBar } from './save-bar.js';
import { WatchedTexts } from './preview/watched-texts.js';

export function PoliciesView() {
  const { query } = usePlace();
  const { projects, problem } = useOpenProjects();
  const project = projects?.find(({ id }) => id === query.get('project')) ?? projects?.[0];
  return (
    <div class="stack">
      <div class="title">
        <h1>Policies</h1>
        {projects && project && (
          <ProjectChoice projects={projects} project={project} onChoose={(id) => change({ query: { project: id } })} />
        )}
      </div>
      <Alert>{problem}</Alert>
      {project && <PolicyEditor key={project.id} project={project} />}
      {projects?.length === 0 && (
        <Empty title="No projects yet">
          <p>A policy belongs to a project, and decides for all of its keys.</p>
          <a class="button" href="/dashboard/keys">
            Create a project
          </a>
        </Empty>
      )}
    </div>
  );
}

/** Each with the role that it takes. */
const TABS = [
  ['rules', 'Rules', 'viewer'],
  ['terms', 'Terms', 'viewer'],
  ['keep', 'Keep', 'viewer'],
  ['preview', 'Preview', 'reviewer'],
  ['fit', 'From labels', 'editor'],
  ['history', 'History', 'viewer'],
] as const;

/** For those who may not change it. */
function Fixed({ children }: { readonly children: ComponentChildren }) {
  return <fieldset disabled={!may('editor')}>{children}</fieldset>;
}

function PolicyEditor({ project }: { readonly project: Project }) {
  const { editing, problem } = useEditing(project.id);
  return editing === undefined ? <Alert>{problem}</Alert> : <Tabs project={project} editing={editing} />;
}

function Tabs({ project, editing }: { readonly project: Project; readonly editing: Editing }) {
  const { query } = usePlace();
  const { draft } = editing;
  const { answer: kept } = useAnswer<KeptResponse>(
    `/decisions/kept?${new URLSearchParams({ projectId: project.id })}`,
    draft.base.version,
  );
  const tabs = TABS.filter(([, , least]) => may(least));
  const shown = tabs.find(([name]) => name === query.get('tab'))?.[0] ?? 'rules';
  // All stay in the page: a file that was chosen in one is there when its tab is opened again.
  const panels = {
    rules: (
      <div class="rules-and-texts">
        <Fixed>
          <PolicyRules editing={editing} />
        </Fixed>
        {may('reviewer') && <WatchedTexts draft={draft} kept={kept} />}
      </div>
    ),
    terms: (
      <Fixed>
        <PolicyTerms editing={editing} />
      </Fixed>
    ),
    keep: (
      <Fixed>
        <PolicyKeep editing={editing} kept={kept} />
      </Fixed>
    ),
    preview: <PolicyPreview draft={draft} kept={kept} />,
    fit: <PolicyFit editing={editing} kept={kept} />,
    history: <PolicyHistory draft={draft} />,
  };
  return (
    <>
      <nav class="tabs" aria-label={`Policy of ${project.name}`}>
        {tabs.map(([name, title]) => (
          <a
            key={name}
            href={`/dashboard/policies?project=${project.id}&tab=${name}`}
            aria-current={name === shown ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {tabs.map(([name]) => (
        <div key={name} hidden={name !== shown}>
          {panels[name]}
        </div>
      ))}
      <SaveBar draft={draft} />
    </>
  );
}
