/** The list to choose a project of. */
import type { Project } from '../../routes/admin-schemas.js';
import { Choice } from './choice.js';
import { Field } from './controls.js';
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
