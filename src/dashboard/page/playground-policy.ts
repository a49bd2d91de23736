/** The policy of a project in the playground: its thresholds on what the model saw of a text, tried at once and saved if they are good. */
import type { PlaygroundResponse, Project } from '../routes/admin-schemas.js';
import type { PresetsResponse } from '../routes/policy-schemas.js';
import type { Api } from './api.js';
import { categoryRows } from './category-rows.js';
import { h } from './dom.js';
import { isChanged, openDraft, type Editing } from './policy-drafts.js';
import { saveBar } from './policy-save.js';

export interface Trial {
  readonly element: HTMLElement;
  /** What a request says so that a text is judged by it. */
  readonly asked: () => object;
  readonly showText: (labels: NonNullable<PlaygroundResponse['analysis']['details']>['labels'] | undefined) => void;
}

/** @param onTried called when the text is to be judged anew */
export async function openTrial(api: Api, project: Project, onTried: () => void): Promise<Trial> {
  const [draft, catalogue] = await Promise.all([
    openDraft(api, project.id),
    api.get<PresetsResponse>('/policy-presets'),
  ]);
  const editing: Editing = {
    api,
    draft,
    catalogue,
    changed: () => {
      rows.update();
      bar.update();
    },
  };
  const rows = categoryRows(editing, onTried);
  const bar = saveBar(editing, onTried);
  return {
    asked: () => ({ projectId: project.id, ...(isChanged(draft) && { policy: draft.policy }) }),
    showText: rows.showText,
    element: h(
      'section',
      { class: 'stack', 'aria-label': `Policy of ${project.name}` },
      h(
        'div',
        { class: 'card stack' },
        h(
          'div',
          { class: 'title' },
          h('h2', {}, 'Categories'),
          h('a', { class: 'button quiet', href: `/dashboard/policies?project=${project.id}` }, 'Whole policy'),
        ),
        h('p', { class: 'hint' }, `As ${project.name} judges them. Move a threshold to try another.`),
        rows.element,
      ),
      bar.element,
    ),
  };
}
