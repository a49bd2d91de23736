/** Projects with their keys: those in use, and those that are archived. */
import type { Key, Project } from '../routes/admin-schemas.js';
import type { Api } from './api.js';
import { h } from './dom.js';
import { archiveProject, createKey, createProject, renameProject, restoreProject } from './key-dialogs.js';
import { keyTable } from './key-table.js';
import type { KeysContext } from './keys-context.js';
import { momentOf } from './wording.js';

type ArchivedProject = Project & { readonly archivedAt: string };

export async function keysView(api: Api): Promise<HTMLElement> {
  const view = h('div', { class: 'stack' });
  let showsEnded = false;
  let showsArchived = false;

  async function refresh(): Promise<void> {
    const [{ projects }, { keys }] = await Promise.all([
      api.get<{ projects: Project[] }>('/projects'),
      api.get<{ keys: Key[] }>('/keys'),
    ]);
    const context: KeysContext = { api, refresh };
    const keysOf = ({ name }: Project): Key[] => keys.filter(({ project }) => project === name);
    const open = projects.filter(({ archivedAt }) => archivedAt === null);
    const archived = projects.filter(isArchived);
    const endedCount = open.flatMap(keysOf).filter(({ state }) => state !== 'active').length;
    view.replaceChildren(
      h(
        'div',
        { class: 'title' },
        h('h1', {}, 'Projects and keys'),
        h(
          'button',
          { type: 'button', class: 'primary', id: 'new-project', click: () => createProject(context) },
          'New project',
        ),
      ),
      endedCount > 0 ? h('label', { class: 'check' }, endedToggle(), `Show ended keys (${endedCount})`) : '',
      ...open.map((project) => projectSection(project, keysOf(project), context)),
      open.length === 0
        ? h(
            'div',
            { class: 'card empty' },
            h('h2', {}, archived.length === 0 ? 'No projects yet' : 'All projects are archived'),
            h('p', {}, 'A project holds the keys of one application. Create one, then give it a key.'),
          )
        : '',
      archived.length > 0
        ? h(
            'details',
            {
              class: 'card archived shows-ended',
              open: showsArchived,
              toggle: (event) => (showsArchived = event.target instanceof HTMLDetailsElement && event.target.open),
            },
            h('summary', {}, `Archived projects (${archived.length})`),
            ...archived
              .toSorted((one, other) => other.archivedAt.localeCompare(one.archivedAt))
              .map((project) => archivedSection(project, keysOf(project), context)),
          )
        : '',
    );
  }

  function endedToggle(): HTMLInputElement {
    const toggle = h('input', { type: 'checkbox', checked: showsEnded });
    toggle.addEventListener('change', () => {
      showsEnded = toggle.checked;
      view.classList.toggle('shows-ended', showsEnded);
    });
    return toggle;
  }

  await refresh();
  return view;
}

function isArchived(project: Project): project is ArchivedProject {
  return project.archivedAt !== null;
}

function projectSection(project: Project, keys: readonly Key[], context: KeysContext): HTMLElement {
  const active = keys.filter(({ state }) => state === 'active').length;
  return h(
    'section',
    { class: 'card', id: project.id, tabindex: -1, 'aria-label': project.name },
    h(
      'div',
      { class: 'title' },
      h('h2', {}, project.name),
      h(
        'div',
        { class: 'buttons' },
        h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            id: `rename-${project.id}`,
            click: () => renameProject(context, project),
          },
          'Rename',
        ),
        h(
          'button',
          { type: 'button', class: 'quiet', click: () => archiveProject(context, project, active) },
          'Archive',
        ),
        h(
          'a',
          {
            class: 'button quiet',
            href: `/dashboard/policies?project=${project.id}`,
            'aria-label': `Policy of ${project.name}`,
          },
          'Policy',
        ),
        h(
          'button',
          { type: 'button', id: `create-${project.id}`, click: () => createKey(context, project) },
          'Create API key',
        ),
      ),
    ),
    active === 0 ? h('p', { class: 'hint' }, 'No active key.') : '',
    keys.length === 0 ? '' : keyTable(keys, true, context),
  );
}

function archivedSection(project: ArchivedProject, keys: readonly Key[], context: KeysContext): HTMLElement {
  return h(
    'section',
    { id: project.id, tabindex: -1, 'aria-label': project.name },
    h(
      'div',
      { class: 'title' },
      h(
        'div',
        {},
        h('h2', {}, project.name),
        h(
          'p',
          { class: 'hint' },
          `Archived ${momentOf(project.archivedAt)}${keys.length === 0 ? ', without keys' : ''}`,
        ),
      ),
      h('button', { type: 'button', click: () => restoreProject(context, project) }, 'Restore'),
    ),
    keys.length === 0 ? '' : keyTable(keys, false, context),
  );
}
