/** The policy of a project: choose one, change, preview, fit and save its policy, go back to an earlier version. */
import type { ComponentChildren } from 'preact';
import type { Project } from '../../routes/admin-schemas.js';
import type { KeptResponse } from '../../routes/decision-schemas.js';
import { Alert } from '../shared/controls.js';
import { may } from '../shared/person.js';
import { ProjectView } from '../shared/project-choice.js';
import { usePlace } from '../shared/router.js';
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
  return (
    <ProjectView title="Policies" withoutProject="A policy belongs to a project, and decides for all of its keys.">
      {(project) => <PolicyEditor key={project.id} project={project} />}
    </ProjectView>
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
