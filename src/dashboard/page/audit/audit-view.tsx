/** Who did what: the audit log page by page, by actor and action. For owners. */
import type { AuditResponse } from '../../people/people-schemas.js';
import { Alert, Field } from '../shared/controls.js';
import { FoldingTable } from '../shared/folding-table.js';
import { change, usePlace } from '../shared/router.js';
import { useAnswer } from '../shared/use-answer.js';
import { momentOf } from '../shared/words.js';

type Entry = AuditResponse['entries'][number];

const HEADINGS = ['When', 'Who', 'What', 'To', 'Details'];
const GROUPS: readonly (readonly [string, string])[] = [
  ['', 'everything'],
  ['session', 'signing in and out'],
  ['account', 'accounts'],
  ['invitation', 'invitations'],
  ['token', 'admin tokens'],
  ['project', 'projects'],
  ['key', 'keys'],
  ['policy', 'policies'],
  ['decision', 'decisions'],
  ['audit', 'exports of this log'],
];

export function AuditView() {
  const { query } = usePlace();
  const [actor, action, before] = ['actor', 'action', 'before'].map((name) => query.get(name) ?? '');
  const asked = new URLSearchParams(
    Object.entries({ actor, action, before }).filter((each): each is [string, string] => Boolean(each[1])),
  );
  const { answer, problem } = useAnswer<AuditResponse>(`/audit?${asked}`);
  const next = answer?.next ?? null;
  return (
    <div class="stack people">
      <div class="title">
        <h1>Audit log</h1>
        <a class="button" href="/dashboard/api/audit/export" download="audit.jsonl">
          Export all
        </a>
      </div>
      <form class="card fields" role="search" onSubmit={(event) => event.preventDefault()}>
        <Field label="Who" hint="A part of a name is enough.">
          <input
            type="search"
            defaultValue={actor}
            onChange={({ currentTarget: { value } }) =>
              change({ query: { actor: value === '' ? undefined : value, before: undefined } })
            }
          />
        </Field>
        <Field label="What">
          <select
            value={action}
            onChange={({ currentTarget: { value } }) =>
              change({ query: { action: value === '' ? undefined : value, before: undefined } })
            }
          >
            {GROUPS.map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </Field>
      </form>
      <Alert>{problem}</Alert>
      {answer && (
        <section class="card" aria-label="Entries">
          {answer.entries.length === 0 && <p class="hint">There is nothing of this kind.</p>}
          {answer.entries.length > 0 && <FoldingTable headings={HEADINGS} rows={answer.entries.map(rowOf)} />}
          <div class="actions">
            {before !== '' && (
              <button type="button" class="quiet" onClick={() => change({ query: { before: undefined } })}>
                Newest
              </button>
            )}
            {next !== null && (
              <button type="button" onClick={() => change({ query: { before: String(next) } })}>
                Older
              </button>
            )}
          </div>
        </section>
      )}
    </div>
  );
}

function rowOf({ sequence, at, actor, action, subject, details }: Entry) {
  return {
    key: sequence,
    head: (
      <>
        {momentOf(new Date(at).toISOString())}
        <small>No. {sequence}</small>
      </>
    ),
    cells: [nameOf(actor), <code>{action}</code>, <code>{subject}</code>, detailsInWords(details)],
  };
}

/** Of `acc_… ann@example.com`, where an account is behind it. */
const nameOf = (actor: string): string => actor.replace(/^acc_\S+ /, '');

function detailsInWords(details: string): string {
  const members = Object.entries(JSON.parse(details) as Record<string, unknown>);
  return members.map(([name, value]) => `${name}: ${String(value)}`).join(', ');
}
