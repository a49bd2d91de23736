/**
 * Everything that people said of texts of a project, wherever they said it: reviews of kept decisions, suggestions of callers, imports. Reviews go with
 * their decision; of the others a text is there once, encrypted, with what was said of it last.
 */
import type { TextCipher } from '../decisions/text-cipher.js';
import type { Due } from '../decisions/decision-repository.js';
import { StoreRefusal } from '../errors.js';
import { LABEL_CATEGORIES, type LabelCategory } from '../moderation/categories.js';
import type { Ask, SqlDatabase, SqlValue } from '../storage/sql/sql-database.js';
import { nextTurn } from '../threads/next-turn.js';
import type { GivenLabel, KeptSource, LabelSource, TextLabel, Truth } from './label-record.js';

export interface LabelCount {
  readonly source: LabelSource;
  readonly shouldPass: boolean | undefined;
  readonly truth: Truth;
  readonly texts: number;
}

/** @throws OperatorError, each method, where the database does not answer */
export interface Labels {
  /**
   * Joined to what is known of the same texts. In parts: after an error some may be kept, and to do it again does no harm.
   *
   * @param deleteAt in milliseconds since 1970; absent: they stay
   * @throws StoreRefusal where there is no key to encrypt them
   */
  keep(projectId: string, source: KeptSource, labels: readonly GivenLabel[], deleteAt?: number): Promise<void>;
  /** With their texts, in no order; those that no key opens are left out. */
  each(projectId: string): AsyncGenerator<TextLabel>;
  /** What was said last of each text, newest first. */
  latest(projectId: string, limit: number): Promise<TextLabel[]>;
  /** How many texts are labelled alike. */
  counts(projectId: string): Promise<LabelCount[]>;
  /** @returns how many there were */
  deleteAll(projectId: string, source: KeptSource): Promise<number>;
  /** As decisions are: those whose time has come, or suggestions older than what their project keeps. @returns how many */
  deleteDue(due: Due, limit: number): Promise<number>;
}

interface LabelRow {
  readonly place: string | number;
  readonly id: string;
  readonly source: LabelSource;
  readonly at: number;
  readonly language: string | null;
  readonly shouldPass: number | null;
  /** Of a review the categories that are right; else an object of 0 and 1 by category. */
  readonly truths: string;
  readonly content: Uint8Array;
}

const PART = 250;
const PAGE = 500;
/** To encrypt or to decrypt so many takes a millisecond. */
const TEXTS_OF_TURN = 50;

/** Of each decision what was said last, and not taken back, where its text is kept. */
const REVIEWED = `parapet.review as review join parapet.decision as decision on decision.id = review.decision_id
  where review.project_id = $1 and review.undone = 0 and decision.content is not null
    and not exists (select 1 from parapet.review as later
      where later.decision_id = review.decision_id and later.undone = 0 and later.sequence > review.sequence)`;
const REVIEW_COLUMNS = `decision.id as id, 'review' as source, review.at as at, decision.language as language,
  review.should_pass as should_pass, review.categories as truths, decision.content as content`;
const LABEL_COLUMNS = 'id, source, at, language, should_pass, truths, content';

export function createLabels(
  { read, change }: Pick<SqlDatabase, 'read' | 'change'>,
  cipher: TextCipher | undefined,
  now: () => Date = () => new Date(),
): Labels {
  async function* opened(rows: readonly LabelRow[]): AsyncGenerator<TextLabel> {
    for (const [index, row] of rows.entries()) {
      if (index % TEXTS_OF_TURN === TEXTS_OF_TURN - 1) await nextTurn();
      const text = cipher?.open(row.content, row.id);
      if (text === undefined) continue;
      const { id, source, at, language } = row;
      yield { id, source, at, text, language: language ?? undefined, ...saidIn(row) };
    }
  }

  /** @param select a page of rows whose `place` is above the given one, in its order */
  async function* paged(select: string, projectId: string, start: string | number): AsyncGenerator<TextLabel> {
    for (let after = start; ;) {
      const rows = await read<LabelRow>(`${select} limit ${PAGE}`, [projectId, after]);
      yield* opened(rows);
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.place ?? after;
    }
  }

  async function keepPart(ask: Ask, shared: SqlValue[], part: ReadonlyMap<string, GivenLabel>, sealed: Uint8Array[]) {
    const ids = [...part.keys()];
    const known = await ask<{ id: string; truths: string; shouldPass: number | null }>(
      `select id, truths, should_pass from parapet.label where id in (${ids.map((_, index) => `$${index + 1}`).join(', ')})`,
      ids,
    );
    const earlier = new Map(known.map((row) => [row.id, saidIn(row)]));
    for (const [index, [id, { language, shouldPass, truth }]] of [...part].entries()) {
      const before = earlier.get(id);
      const truths = new Map([...(before?.truth ?? []), ...truth]);
      await ask(
        `insert into parapet.label (id, content, language, should_pass, truths, project_id, source, at, delete_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (id) do update set language = coalesce(excluded.language, label.language),
           should_pass = excluded.should_pass, truths = excluded.truths, at = excluded.at, delete_at = excluded.delete_at`,
        [
          id,
          sealed[index] ?? null,
          language ?? null,
          numberOf(shouldPass ?? before?.shouldPass),
          JSON.stringify(Object.fromEntries([...truths].map(([category, isSo]) => [category, isSo ? 1 : 0]))),
          ...shared,
        ],
      );
    }
  }

  return {
    async keep(projectId, source, labels, deleteAt) {
      if (cipher === undefined) {
        throw new StoreRefusal(
          'invalid',
          'Labelled texts are kept encrypted, and there is no key for that: set DECISIONS_KEY to what "npx parapet decisions new-key" prints.',
        );
      }
      for (let from = 0; from < labels.length; from += PART) {
        const part = new Map<string, GivenLabel>();
        for (const label of labels.slice(from, from + PART)) {
          part.set(`lbl_${cipher.fingerprint(`${source} ${projectId} ${label.text}`)}`, label);
        }
        const sealed: Uint8Array[] = [];
        for (const [id, { text }] of part) {
          if (sealed.length % TEXTS_OF_TURN === TEXTS_OF_TURN - 1) await nextTurn();
          sealed.push(cipher.seal(text, id));
        }
        const shared = [projectId, source, now().getTime(), deleteAt ?? null];
        await change((ask) => keepPart(ask, shared, part, sealed), 'labels');
      }
    },

    async *each(projectId) {
      yield* paged(
        `select review.sequence as place, ${REVIEW_COLUMNS} from ${REVIEWED} and review.sequence > $2 order by review.sequence`,
        projectId,
        0,
      );
      yield* paged(
        `select id as place, ${LABEL_COLUMNS} from parapet.label where project_id = $1 and id > $2 order by id`,
        projectId,
        '',
      );
    },

    async latest(projectId, limit) {
      const rows = await read<LabelRow>(
        `select * from (select ${REVIEW_COLUMNS} from ${REVIEWED}
           union all select ${LABEL_COLUMNS} from parapet.label where project_id = $1) as label
         order by at desc limit ${limit}`,
        [projectId],
      );
      const latest = new Map<string, TextLabel>();
      for await (const label of opened(rows)) if (!latest.has(label.text)) latest.set(label.text, label);
      return [...latest.values()];
    },

    async counts(projectId) {
      const rows = await read<Pick<LabelRow, 'source' | 'shouldPass' | 'truths'> & { readonly texts: number }>(
        `select source, should_pass, truths, count(*) as texts
         from (select 'review' as source, review.should_pass as should_pass, review.categories as truths from ${REVIEWED}
           union all select source, should_pass, truths from parapet.label where project_id = $1) as label
         group by source, should_pass, truths`,
        [projectId],
      );
      return rows.map(({ source, texts, ...row }) => ({ source, texts, ...saidIn(row) }));
    },

    async deleteAll(projectId, source) {
      const rows = await change((ask) =>
        ask('delete from parapet.label where project_id = $1 and source = $2 returning id', [projectId, source]),
      );
      return rows.length;
    },

    async deleteDue(due, limit) {
      const [condition, values] =
        'deleteAt' in due
          ? ['delete_at <= $1', [due.deleteAt]]
          : ["project_id = $1 and source = 'suggestion' and at < $2", [due.projectId, due.before]];
      const rows = await change((ask) =>
        ask(
          `delete from parapet.label where id in (select id from parapet.label where ${condition} limit ${limit}) returning id`,
          values,
        ),
      );
      return rows.length;
    },
  };
}

function saidIn({
  shouldPass,
  truths,
}: Pick<LabelRow, 'shouldPass' | 'truths'>): Pick<GivenLabel, 'shouldPass' | 'truth'> {
  const said = JSON.parse(truths) as readonly string[] | Readonly<Record<string, number>>;
  const truth = LABEL_CATEGORIES.flatMap((category): [LabelCategory, boolean][] => {
    if (Array.isArray(said)) return [[category, said.includes(category)]];
    const isSo = (said as Readonly<Record<string, number>>)[category];
    return isSo === undefined ? [] : [[category, isSo === 1]];
  });
  return { shouldPass: shouldPass === null ? undefined : shouldPass === 1, truth: new Map(truth) };
}

function numberOf(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}
