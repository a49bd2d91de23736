/** Projects with their keys: what there is, how it is used, and the buttons that change it. */
import type { Key, Project } from '../admin-schemas.js';
import type { Api } from './api.js';
import { h } from './dom.js';
import { archiveProject, createKey, createProject, renameProject, revokeKey, rotateKey } from './key-dialogs.js';
import { dateOf, momentOf, numberOf, shareOf } from './wording.js';

const HEADINGS = ['Key', 'State', 'Created', 'Ends', 'Last used', 'Requests, 7 days', ''];

export async function keysView(api: Api): Promise<HTMLElement> {
  const view = h('div', { class: 'stack' });
  let showsEnded = false;

  async function refresh(): Promise<void> {
    const [{ projects }, { keys }] = await Promise.all([
      api.get<{ projects: Project[] }>('/projects'),
      api.get<{ keys: Key[] }>('/keys'),
    ]);
    const context: Context = { api, refresh };
    const open = projects.filter(({ archivedAt }) => archivedAt === null);
    const archived = projects.filter(({ archivedAt }) => archivedAt !== null);
    const endedCount = keys.filter(({ state }) => state !== 'active').length;
    const toggle = h('input', { type: 'checkbox' });
    toggle.checked = showsEnded;
    toggle.addEventListener('change', () => {
      showsEnded = toggle.checked;
      view.classList.toggle('shows-ended', showsEnded);
    });
    view.replaceChildren(
      h(
        'div',
        { class: 'title' },
        h('h1', {}, 'Projects and keys'),
        h('button', { type: 'button', class: 'primary', click: () => createProject(context) }, 'New project'),
      ),
      endedCount > 0 ? h('label', { class: 'check' }, toggle, `Show ended keys (${endedCount})`) : '',
      ...open.map((project) => projectSection(project, keysOf(project, keys), context)),
      open.length === 0
        ? h(
            'div',
            { class: 'card empty' },
            h('h2', {}, 'No projects yet'),
            h('p', {}, 'A project holds the keys of one application. Create the first, then give it a key.'),
          )
        : '',
      archived.length > 0
        ? h(
            'details',
            { class: 'card' },
            h('summary', {}, `Archived projects (${archived.length})`),
            h(
              'ul',
              {},
              ...archived.map(({ name, archivedAt }) =>
                h('li', {}, name, h('small', {}, ` since ${dateOf(archivedAt ?? '')}`)),
              ),
            ),
          )
        : '',
    );
  }

  await refresh();
  return view;
}

export interface Context {
  readonly api: Api;
  readonly refresh: () => Promise<void>;
}

function endOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return `revoked ${dateOf(revokedAt)}`;
  return expiresAt === null ? 'never' : momentOf(expiresAt);
}

/** Active ones first, the newest of each first. */
function keysOf({ name }: Project, keys: readonly Key[]): Key[] {
  const own = keys.filter(({ project }) => project === name).reverse();
  return [...own.filter(({ state }) => state === 'active'), ...own.filter(({ state }) => state !== 'active')];
}

function projectSection(project: Project, keys: readonly Key[], context: Context): HTMLElement {
  const active = keys.filter(({ state }) => state === 'active').length;
  return h(
    'section',
    { class: 'card project', 'aria-label': project.name },
    h(
      'div',
      { class: 'title' },
      h('h2', {}, project.name),
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', class: 'quiet', click: () => renameProject(context, project) }, 'Rename'),
        h(
          'button',
          { type: 'button', class: 'quiet', click: () => archiveProject(context, project, active) },
          'Archive',
        ),
        h('button', { type: 'button', click: () => createKey(context, project) }, 'Create API key'),
      ),
    ),
    active === 0 ? h('p', { class: 'hint' }, 'No active key.') : '',
    keys.length === 0
      ? ''
      : h(
          'table',
          { class: active === 0 ? 'folding all-ended' : 'folding' },
          h(
            'thead',
            {},
            h('tr', {}, ...HEADINGS.map((heading) => (heading === '' ? h('td') : h('th', { scope: 'col' }, heading)))),
          ),
          h('tbody', {}, ...keys.map((key) => keyRow(key, context))),
        ),
  );
}

function keyRow(key: Key, context: Context): HTMLElement {
  const { requests, flagged } = key.usage;
  const cells: readonly (string | Node)[] = [
    h('span', { class: `badge ${key.state}` }, key.state),
    dateOf(key.createdAt),
    endOf(key),
    key.lastUsedAt === null ? 'never' : momentOf(key.lastUsedAt),
    requests === 0
      ? 'none'
      : h('span', {}, numberOf(requests), h('small', { class: 'nowrap' }, `, ${shareOf(flagged, requests)} flagged`)),
  ];
  return h(
    'tr',
    { class: key.state === 'active' ? '' : 'ended', 'data-key': key.id },
    h(
      'th',
      { scope: 'row' },
      h('span', { class: 'name' }, key.name, ' ', h('span', { class: 'badge' }, key.environment)),
      h('code', {}, `${key.start}…`),
      key.rateLimitPerMinute !== null && h('small', {}, ` ${numberOf(key.rateLimitPerMinute)} requests a minute`),
    ),
    ...cells.map((cell, index) => h('td', { 'data-heading': HEADINGS[index + 1] }, cell)),
    h(
      'td',
      { class: 'buttons' },
      ...(key.state === 'active'
        ? [
            key.replacedBy === null &&
              h(
                'button',
                {
                  type: 'button',
                  class: 'quiet',
                  'aria-label': `Rotate ${key.name}`,
                  click: () => rotateKey(context, key),
                },
                'Rotate',
              ),
            h(
              'button',
              {
                type: 'button',
                class: 'quiet danger',
                'aria-label': `Revoke ${key.name}`,
                click: () => revokeKey(context, key),
              },
              'Revoke',
            ),
          ]
        : []),
    ),
  );
}
