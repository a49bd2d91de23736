/** The table of a project's keys: state, times, use, and the buttons that end a key. */
import type { ComponentChildren } from 'preact';
import type { Key } from '../../routes/admin-schemas.js';
import { FoldingTable } from '../shared/folding-table.js';
import { dateOf, momentOf, numberOf, shareOf } from '../shared/words.js';

const HEADINGS = ['Key', 'State', 'Created', 'Ends', 'Last used', 'Requests, 7 days'];

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly buttonsOf: (key: Key) => ComponentChildren;
}

/** Active ones first, and the newest of each. */
export function KeyTable({ keys, buttonsOf }: KeyTableProps) {
  const newest = keys.toReversed();
  const ordered = [...newest.filter(isActive), ...newest.filter((key) => !isActive(key))];
  const rows = ordered.map((key) => ({
    key: key.id,
    class: isActive(key) ? '' : 'ended',
    head: <KeyName {...{ record: key }} />,
    cells: [
      <span class={`badge ${key.state}`}>{key.state}</span>,
      dateOf(key.createdAt),
      endOf(key),
      key.lastUsedAt === null ? 'never' : momentOf(key.lastUsedAt),
      usageOf(key),
    ],
    buttons: isActive(key) ? buttonsOf(key) : '',
  }));
  return <FoldingTable class="keys" headings={HEADINGS} rows={rows} />;
}

export const isActive = ({ state }: Key): boolean => state === 'active';

function KeyName({ record: { name, environment, start, rateLimitPerMinute } }: { readonly record: Key }) {
  return (
    <>
      <span class="name">
        {name} <span class="badge">{environment}</span>
      </span>
      <code>{start}…</code>
      {rateLimitPerMinute !== null && <small> {numberOf(rateLimitPerMinute)} requests a minute</small>}
    </>
  );
}

function usageOf({ usage: { requests, flagged } }: Key): ComponentChildren {
  if (requests === 0) return 'none';
  return (
    <span>
      {numberOf(requests)}
      <small class="nowrap">, {shareOf(flagged, requests)} failed</small>
    </span>
  );
}

function endOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt !== null) return `revoked ${dateOf(revokedAt)}`;
  return expiresAt === null ? 'never' : momentOf(expiresAt);
}
