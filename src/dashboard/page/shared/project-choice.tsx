/** The list to choose a project of, and the frame of views of one project. */
import type { ComponentChildren } from 'preact';
import type { Project } from '../../routes/admin-schemas.js';
import { Choice } from './choice.js';
import { Alert, Empty, Field } from './controls.js';
import { change, usePlace } from './router.js';
import { useAnswer } from './use-answer.js';

interface ProjectChoiceProps {
  readonly projects: readonly Project[];
  readonly project: Project | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly label?: string;
  /** What applies without a project, where that can be chosen. */
  readonly otherwise?: string;
}

export function ProjectChoice({ projects, project, onChoose, label = 'Project', otherwise }: ProjectChoiceProps) {
  const nameOf = (id: string): string => projects.find((each) => each.id === id)?.name ?? '';
  const ids = projects.map(({ id }) => id);
  return (
    <Field label={label} class="beside">
      <Choice values={ids} wordsOf={nameOf} value={project?.id} otherwise={otherwise} onChoose={onChoose} />
    </Field>
  );
}

/** Those that are not archived; undefined until they are known. */
export function useOpenProjects(): { readonly projects: readonly Project[] | undefined; readonly problem?: string } {
  const { answer, problem } = useAnswer<{ projects: Project[] }>('/projects');
  return {
    projects: answer?.projects.filter(({ archivedAt }) => archivedAt === null),
    ...(problem !== undefined && { problem }),
  };
}

interface ProjectViewProps {
  readonly title: string;
  /** Said where there is no project yet. */
  readonly withoutProject: string;
  /** By default the address keeps the project alone. */
  readonly onChoose?: (id: string) => void;
  readonly children: (project: Project) => ComponentChildren;
}

/** A view of one project, which the address names; else of the first. */
export function ProjectView(props: ProjectViewProps) {
  const { title, withoutProject, onChoose = (id: string) => change({ query: { project: id } }), children } = props;
  const { query } = usePlace();
  const { projects, problem } = useOpenProjects();
  const project = projects?.find(({ id }) => id === query.get('project')) ?? projects?.[0];
  return (
    <div class="stack">
      <div class="title">
        <h1>{title}</h1>
        {projects && project && (
          <ProjectChoice projects={projects} project={project} onChoose={(id) => onChoose(id ?? project.id)} />
        )}
      </div>
      <Alert>{problem}</Alert>
      {project && children(project)}
      {projects?.length === 0 && (
        <Empty title="No projects yet">
          <p>{withoutProject}</p>
          <a class="button" href="/dashboard/keys">
            Create a project
          </a>
        </Empty>
      )}
    </div>
  );
}
