/** The versions of a policy: what each changed, when and by whom, and the way back to it. */
import type { HistoryResponse, PolicyResponse } from '../routes/policy-schemas.js';
import { openForm } from './dialog.js';
import { announce, h } from './dom.js';
import { isChanged, loadInto, pathOf, type Editing } from './policy-drafts.js';
import { changeInWords, editorInWords } from './policy-wording.js';
import { messageOf, momentOf } from './wording.js';

type Version = HistoryResponse['versions'][number];

const HEADINGS = ['Version', 'When', 'By', 'What changed', ''];

export interface PolicyHistory {
  readonly element: HTMLElement;
  readonly refresh: () => Promise<void>;
}

export function policyHistory(editing: Editing): PolicyHistory {
  const { api, draft } = editing;
  const content = h('div', {});

  async function refresh(): Promise<void> {
    try {
      show(await api.get<HistoryResponse>(`${pathOf(draft.projectId)}/history`));
    } catch (error) {
      content.replaceChildren(h('p', { class: 'alert', role: 'alert' }, messageOf(error)));
    }
  }

  function show({ versions, oldest }: HistoryResponse): void {
    if (versions.length === 0) {
      content.replaceChildren(h('p', { class: 'hint' }, 'Nothing was saved yet.'));
      return;
    }
    const restorable = (version: number): HTMLElement | string =>
      restoreButton(version, versions[0]?.version ?? 0, editing, refresh);
    content.replaceChildren(
      h(
        'table',
        { class: 'folding versions' },
        h(
          'thead',
          {},
          h('tr', {}, ...HEADINGS.map((heading) => (heading === '' ? h('td') : h('th', { scope: 'col' }, heading)))),
        ),
        h(
          'tbody',
          {},
          ...versions.map((version) => versionRow(version, restorable(version.version))),
          oldest === 0 ? noPolicyRow(restorable(0)) : '',
        ),
      ),
      oldest > 0 ? h('p', { class: 'hint' }, `Versions before ${oldest} are not kept.`) : '',
    );
  }

  return {
    refresh,
    element: h(
      'section',
      { class: 'card', id: 'history', tabindex: -1, 'aria-labelledby': 'history-title' },
      h('h2', { id: 'history-title' }, 'History'),
      content,
    ),
  };
}

function versionRow(version: Version, button: Node | string): HTMLElement {
  const { at, by, restored, changed } = version;
  const words = changed?.map((field) => changeInWords(field, version)) ?? ['what it changed is not known any more'];
  const cells = [
    momentOf(at),
    editorInWords(by),
    [
      ...(restored === undefined ? [] : [restored === 0 ? 'back to no policy' : `version ${restored} restored`]),
      ...words,
    ].join('; '),
  ];
  return row(String(version.version), cells, button);
}

function noPolicyRow(button: Node | string): HTMLElement {
  return row('0', ['–', '–', 'no policy: the settings of the service'], button);
}

function row(name: string, cells: readonly string[], button: Node | string): HTMLElement {
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, name),
    ...cells.map((cell, index) => h('td', { 'data-heading': HEADINGS[index + 1] }, h('span', {}, cell))),
    h('td', { class: 'buttons' }, button),
  );
}

function restoreButton(
  version: number,
  present: number,
  { api, draft, changed }: Editing,
  refresh: () => Promise<void>,
): HTMLElement | string {
  if (version === present) return h('span', { class: 'badge active' }, 'in force');
  const name = version === 0 ? 'no policy' : `version ${version}`;
  const ask = (): void =>
    openForm({
      title: version === 0 ? 'Go back to no policy?' : `Restore version ${version}?`,
      fields: [
        h('p', {}, 'It is in force at once, as a new version. The present one stays in the history.'),
        isChanged(draft) && h('p', { class: 'warning' }, 'Your unsaved changes are dropped.'),
      ].filter((each) => each !== false),
      action: 'Restore',
      async onSubmit() {
        const restored = await api.send<PolicyResponse>('POST', `${pathOf(draft.projectId)}/restore`, {
          version,
          baseVersion: present,
        });
        loadInto(draft, restored, false);
        changed();
        await refresh();
        announce(`Restored ${name}`);
      },
    });
  return h(
    'button',
    { type: 'button', class: 'quiet', id: `restore-${version}`, 'aria-label': `Restore ${name}`, click: ask },
    'Restore',
  );
}
