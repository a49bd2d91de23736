/** The list to choose a project of. */
import type { Project } from '../routes/admin-schemas.js';
import { choice } from './choice.js';
import { h } from './dom.js';

export interface ProjectChoice {
  readonly element: HTMLElement;
  /** @param otherwise what applies without a project, where that can be chosen */
  show(id: string | undefined, otherwise?: string): void;
}

/** @param label read out, and shown before the list */
export function projectChoice(
  projects: readonly Project[],
  onChosen: (project: Project | undefined) => void,
  label = 'Project',
): ProjectChoice {
  const byId = new Map(projects.map((project) => [project.id, project]));
  const list = choice(
    [...byId.keys()],
    (id) => byId.get(id)?.name ?? '',
    (id) => onChosen(byId.get(id ?? '')),
  );
  const element = h('label', { class: 'field beside' }, h('span', {}, label), list.element);
  return { ...list, element };
}
