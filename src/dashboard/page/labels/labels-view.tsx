/** What people said of texts of a project: how much of it there is, and the ways in and out. */
import type { LabelsResponse } from '../../labelling/label-schemas.js';
import type { Project } from '../../routes/admin-schemas.js';
import { Alert, Empty } from '../shared/controls.js';
import { may } from '../shared/person.js';
import { ProjectChoice, useOpenProjects } from '../shared/project-choice.js';
import { change, usePlace } from '../shared/router.js';
import { useAnswer } from '../shared/use-answer.js';
import { Agreement } from './agreement.js';
import { FirstLabel } from './first-label.js';
import { LabelCounts } from './label-counts.js';
import { LabelExport } from './label-export.js';
import { LabelImport } from './label-import.js';

export function LabelsView() {
  const { query } = usePlace();
  const { projects, problem } = useOpenProjects();
  const project = projects?.find(({ id }) => id === query.get('project')) ?? projects?.[0];
  return (
    <div class="stack">
      <div class="title">
        <h1>Labels</h1>
        {projects && project && (
          <ProjectChoice projects={projects} project={project} onChoose={(id) => change({ query: { project: id } })} />
        )}
      </div>
      <Alert>{problem}</Alert>
      {project && <OfProject key={project.id} project={project} />}
      {projects?.length === 0 && (
        <Empty title="No projects yet">
          <p>Labels are of the texts of a project.</p>
          <a class="button" href="/dashboard/keys">
            Create a project
          </a>
        </Empty>
      )}
    </div>
  );
}

function OfProject({ project }: { readonly project: Project }) {
  const { answer: labels, problem, refresh } = useAnswer<LabelsResponse>(`/projects/${project.id}/labels`);
  const hasSome = labels !== undefined && labels.texts > 0;
  return (
    <>
      <Alert>{problem}</Alert>
      {labels && !hasSome && <FirstLabel projectId={project.id} />}
      {hasSome && <LabelCounts labels={labels} project={project} onChanged={refresh} />}
      {/* Reviews without texts are no labels, and two people may agree on them. */}
      {labels && <Agreement projectId={project.id} />}
      {labels && may('editor') && <LabelImport projectId={project.id} canKeep={labels.canKeep} onImported={refresh} />}
      {hasSome && may('editor') && <LabelExport projectId={project.id} />}
    </>
  );
}
