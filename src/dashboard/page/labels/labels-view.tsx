/** What people said of texts of a project: how much of it there is, and the ways in and out. */
import type { LabelsResponse } from '../../labelling/label-schemas.js';
import type { Project } from '../../routes/admin-schemas.js';
import { Alert } from '../shared/controls.js';
import { may } from '../shared/person.js';
import { ProjectView } from '../shared/project-choice.js';
import { useAnswer } from '../shared/use-answer.js';
import { Agreement } from './agreement.js';
import { FirstLabel } from './first-label.js';
import { LabelCounts } from './label-counts.js';
import { LabelExport } from './label-export.js';
import { LabelImport } from './label-import.js';

export function LabelsView() {
  return (
    <ProjectView title="Labels" withoutProject="Labels are of the texts of a project.">
      {(project) => <OfProject key={project.id} project={project} />}
    </ProjectView>
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
