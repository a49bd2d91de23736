/** The policy of a project: choose one, change, preview, fit and save its policy, go back to an earlier version. */
import type { Project } from '../routes/admin-schemas.js';
import type { PresetsResponse } from '../routes/policy-schemas.js';
import type { Api } from './api.js';
import { h } from './dom.js';
import { openDraft, type Draft, type Editing } from './policy-drafts.js';
import { policyFit } from './policy-fit.js';
import { policyForm } from './policy-form.js';
import { policyHistory } from './policy-history.js';
import { policyPreview } from './policy-preview.js';
import { saveBar } from './policy-save.js';
import { projectChoice } from './project-choice.js';
import { messageOf } from './wording.js';

export async function policyView(api: Api): Promise<HTMLElement> {
  const [{ projects }, catalogue] = await Promise.all([
    api.get<{ projects: Project[] }>('/projects'),
    api.get<PresetsResponse>('/policy-presets'),
  ]);
  const open = projects.filter(({ archivedAt }) => archivedAt === null);
  const wanted = new URLSearchParams(location.search).get('project');
  const first = open.find(({ id }) => id === wanted) ?? open[0];
  if (first === undefined) return h('div', { class: 'stack' }, h('h1', {}, 'Policies'), noProjects());
  const content = h('div', { class: 'stack' });
  const chosen = projectChoice(open, (project) => {
    if (project === undefined) return;
    history.replaceState(null, '', `?project=${project.id}`);
    void show(project);
  });
  chosen.show(first.id);
  let shown: Project | undefined;

  async function show(project: Project): Promise<void> {
    shown = project;
    let parts: Node[];
    try {
      parts = await editor(api, catalogue, await openDraft(api, project.id));
    } catch (error) {
      parts = [h('p', { class: 'alert', role: 'alert' }, messageOf(error))];
    }
    if (shown === project) content.replaceChildren(...parts);
  }

  await show(first);
  return h('div', { class: 'stack' }, h('div', { class: 'title' }, h('h1', {}, 'Policies'), chosen.element), content);
}

async function editor(api: Api, catalogue: PresetsResponse, draft: Draft): Promise<Node[]> {
  const editing: Editing = {
    api,
    catalogue,
    draft,
    changed: () => {
      form.update();
      bar.update();
    },
  };
  const form = policyForm(editing);
  const past = policyHistory(editing);
  const bar = saveBar(editing, () => void past.refresh());
  await past.refresh();
  return [form.element, bar.element, policyPreview(editing), policyFit(editing), past.element];
}

function noProjects(): HTMLElement {
  return h(
    'div',
    { class: 'card empty' },
    h('h2', {}, 'No projects yet'),
    h('p', {}, 'A policy belongs to a project, and decides for all of its keys.'),
    h('a', { class: 'button', href: '/dashboard/keys' }, 'Create a project'),
  );
}
