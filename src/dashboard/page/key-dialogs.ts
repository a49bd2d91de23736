/** The dialogs that change projects and keys, and the one that shows a new key. */
import type { CreatedKeyResponse, Key, Project } from '../routes/admin-schemas.js';
import { field, openForm, openNotice } from './dialog.js';
import { announce, copyButton, h } from './dom.js';
import type { KeysContext } from './keys-context.js';

export function createProject({ api, refresh }: KeysContext): void {
  const name = h('input', { required: true, maxlength: 100, autofocus: true });
  openForm({
    title: 'New project',
    fields: [field('Name', name, 'One project for each application.')],
    action: 'Create project',
    async onSubmit() {
      await api.send('POST', '/projects', { name: name.value });
      await refresh();
      announce('Project created');
    },
  });
}

export function renameProject({ api, refresh }: KeysContext, project: Project): void {
  const name = h('input', { required: true, maxlength: 100, autofocus: true, value: project.name });
  openForm({
    title: `Rename ${project.name}`,
    fields: [field('Name', name, 'Keys stay as they are.')],
    action: 'Rename',
    async onSubmit() {
      await api.send('PATCH', `/projects/${project.id}`, { name: name.value });
      await refresh();
      announce('Project renamed');
    },
  });
}

export function archiveProject({ api, refresh }: KeysContext, project: Project, activeKeys: number): void {
  const keys = activeKeys === 1 ? 'Its active key is' : `Its ${activeKeys} active keys are`;
  openForm({
    title: `Archive ${project.name}?`,
    fields: [
      h(
        'p',
        {},
        activeKeys === 0 ? '' : `${keys} revoked at once, and for good. `,
        'The project takes no new keys until it is restored; its old keys stay revoked even then.',
      ),
    ],
    action: 'Archive project',
    dangerous: true,
    async onSubmit() {
      await api.send('POST', `/projects/${project.id}/archive`);
      await refresh();
      announce('Project archived');
    },
  });
}

export function restoreProject({ api, refresh }: KeysContext, project: Project): void {
  openForm({
    title: `Restore ${project.name}?`,
    fields: [h('p', {}, 'It takes new keys again. Keys that were revoked stay so: create others in their place.')],
    action: 'Restore project',
    async onSubmit() {
      await api.send('POST', `/projects/${project.id}/restore`);
      await refresh();
      announce('Project restored');
    },
  });
}

export function createKey({ api, refresh }: KeysContext, project: Project): void {
  const name = h('input', { required: true, maxlength: 100, autofocus: true, placeholder: 'backend' });
  const environment = select([
    ['live', 'live: for production'],
    ['test', 'test: for development'],
  ]);
  const expiry = select([
    ['', 'never'],
    ['30', 'after 30 days'],
    ['90', 'after 90 days'],
    ['365', 'after a year'],
  ]);
  const rateLimit = h('input', { type: 'number', min: 1, max: 100_000_000, step: 1, inputmode: 'numeric' });
  openForm({
    title: `New key in ${project.name}`,
    fields: [
      field('Label', name, 'Who uses it. Separate keys can be revoked separately.'),
      field('Environment', environment),
      field('Expires', expiry),
      field('Requests a minute', rateLimit, 'Empty: the limit of the server.'),
    ],
    action: 'Create key',
    async onSubmit() {
      const created = await api.send<CreatedKeyResponse>('POST', '/keys', {
        projectId: project.id,
        name: name.value,
        environment: environment.value,
        expiresInDays: expiry.value === '' ? null : Number(expiry.value),
        rateLimitPerMinute: rateLimit.value === '' ? null : Number(rateLimit.value),
      });
      showKey(created);
      await refresh();
    },
  });
}

export function rotateKey({ api, refresh }: KeysContext, key: Key): void {
  const overlap = select([
    ['24', 'for 24 hours more'],
    ['1', 'for 1 hour more'],
    ['168', 'for 7 days more'],
    ['0', 'not at all: it is revoked now'],
  ]);
  openForm({
    title: `Rotate ${key.name}`,
    fields: [
      h('p', {}, 'A new key with the same label, environment, limit and lifetime takes its place.'),
      field('The old key works', overlap),
    ],
    action: 'Rotate key',
    async onSubmit() {
      showKey(
        await api.send<CreatedKeyResponse>('POST', `/keys/${key.id}/rotate`, { overlapHours: Number(overlap.value) }),
      );
      await refresh();
    },
  });
}

export function revokeKey({ api, refresh }: KeysContext, key: Key): void {
  openForm({
    title: `Revoke ${key.name}?`,
    fields: [
      h(
        'p',
        {},
        'Every request with the key ',
        h('code', {}, `${key.start}…`),
        ' fails from now on. This cannot be undone.',
      ),
    ],
    action: 'Revoke key',
    dangerous: true,
    async onSubmit() {
      await api.send('POST', `/keys/${key.id}/revoke`);
      await refresh();
      announce('Key revoked');
    },
  });
}

function showKey({ key, record }: CreatedKeyResponse): void {
  openNotice(
    `Your new key: ${record.name}`,
    h(
      'p',
      { class: 'warning' },
      h('strong', {}, 'It is shown only now.'),
      ' Keep it on servers: never in a page, an app or a repository.',
    ),
    h(
      'div',
      { class: 'secret' },
      h('code', { tabindex: 0 }, key),
      copyButton(() => key, 'Copy key'),
    ),
  );
}

function select(options: readonly (readonly [string, string])[]): HTMLSelectElement {
  return h('select', {}, ...options.map(([value, text]) => h('option', { value }, text)));
}
