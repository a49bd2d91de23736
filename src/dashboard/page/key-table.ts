/** The table of a project's keys: state, times, use, and the buttons that end a key. */
import type { Key } from '../routes/admin-schemas.js';
import { h } from './dom.js';
import { revokeKey, rotateKey } from './key-dialogs.js';
import type { KeysContext } from './keys-context.js';
import { dateOf, momentOf, numberOf, shareOf } from './wording.js';

const HEADINGS = ['Key', 'State', 'Created', 'Ends', 'Last used', 'Requests, 7 days', ''];

/** @param takesKeys whether the project may get a new key in place of one */
export function keyTable(keys: readonly Key[], takesKeys: boolean, context: KeysContext): HTMLElement {
  const active = keys.some(({ state }) => state === 'active');
  return h(
    'table',
    { class: active ? 'folding keys' : 'folding keys all-ended' },
    h(
      'thead',
      {},
      h('tr', {}, ...HEADINGS.map((heading) => (heading === '' ? h('td') : h('th', { scope: 'col' }, heading)))),
    ),
    h('tbody', {}, ...activeFirst(keys).map((key) => keyRow(key, takesKeys, context))),
  );
}

/** The newest of each first. */
function activeFirst(keys: readonly Key[]): Key[] {
  const newest = keys.toReversed();
  return [...newest.filter(({ state }) => state === 'active'), ...newest.filter(({ state }) => state !== 'active')];
}

function keyRow(key: Key, takesKeys: boolean, context: KeysContext): HTMLElement {
  const { requests, flagged } = key.usage;
  const cells: readonly (string | Node)[] = [
    h('span', { class: `badge ${key.state}` }, key.state),
    dateOf(key.createdAt),
    endOf(key),
    key.lastUsedAt === null ? 'never' : momentOf(key.lastUsedAt),
    requests === 0
      ? 'none'
      : h('span', {}, numberOf(requests), h('small', { class: 'nowrap' }, `, ${shareOf(flagged, requests)} failed`)),
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
    h('td', { class: 'buttons' }, ...(key.state === 'active' ? buttonsOf(key, takesKeys, context) : [])),
  );
}

function endOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return `revoked ${dateOf(revokedAt)}`;
  return expiresAt === null ? 'never' : momentOf(expiresAt);
}

function buttonsOf(key: Key, takesKeys: boolean, context: KeysContext): (Node | false)[] {
  return [
    takesKeys &&
      key.replacedBy === null &&
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          id: `rotate-${key.id}`,
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
        id: `revoke-${key.id}`,
        'aria-label': `Revoke ${key.name}`,
        click: () => revokeKey(context, key),
      },
      'Revoke',
    ),
  ];
}
