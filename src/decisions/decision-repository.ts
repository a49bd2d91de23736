/** Decisions in SQL: written in batches, searched page by page, newest first, and deleted. Neither encrypts nor decrypts. */
import type { SqlDatabase } from '../storage/sql/sql-database.js';
import { questionOf, type DecisionFilter } from './decision-question.js';
import { firstIdAt, type Decision } from './decision-record.js';
import { ALL, decisionOf, insertOf, LISTED, valuesOf, type DecisionRow } from './decision-rows.js';

export interface PageOfDecisions {
  /** The id before which the page begins: `next` of the one before. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** Else their `content` is undefined. */
  readonly withTexts?: boolean;
}

export interface FoundDecisions {
  readonly decisions: Decision[];
  /** Where to go on, also after a page that is not full: a search looks at a bounded number of decisions. Undefined at the end. */
  readonly next: string | undefined;
}

/** @throws OperatorError, each method, where the database does not answer */
export interface DecisionRepository {
  /** At most MOST_INSERTED, all or none. */
  insertMany(decisions: readonly Decision[]): Promise<void>;
  search(projectId: string, filter: DecisionFilter, page: PageOfDecisions): Promise<FoundDecisions>;
  /** All that a search finds, with texts, page by page. */
  each(projectId: string, filter: DecisionFilter): AsyncGenerator<Decision>;
  /** Decisions since then, at equal distances, those of them whose text is kept. Of at most MOST_SAMPLED, the latest. */
  sample(projectId: string, since: number, most: number): Promise<SampledDecisions>;
  /** With its text. */
  find(id: string): Promise<Decision | undefined>;
  /** @returns how many there were */
  deleteByReference(projectId: string, reference: string): Promise<number>;
  /** Those whose time has come, or that are older than what their project keeps by now, some at a time. @returns how many */
  deleteDue(due: Due, limit: number): Promise<number>;
  /** The projects that have decisions, by id. */
  projects(): AsyncGenerator<string>;
  noteLost(lost: readonly LostDecisions[]): Promise<void>;
  /** How many could not be kept. @param since a day, as YYYY-MM-DD */
  lostSince(projectId: string, since: string): Promise<number>;
}

export interface SampledDecisions {
  readonly decisions: Decision[];
  /** How many they stand for. */
  readonly of: number;
}

/** In milliseconds since 1970. */
export type Due = { readonly deleteAt: number } | { readonly projectId: string; readonly before: number };

export interface LostDecisions {
  readonly projectId: string;
  /** UTC, as YYYY-MM-DD. */
  readonly day: string;
  readonly lost: number;
}

/** In one transaction. */
export const MOST_INSERTED = 500;
/** SQLite takes time that grows with the square of the values of a statement: 500 rows take 106 ms at once, and 6 ms by tens. */
const ROWS_OF_STATEMENT = 10;
/** How many decisions a search looks at, at most, that its index gives it. */
const MOST_CANDIDATES = 5000;
const EXPORT_PAGE = 500;
/** A sample of so many takes SQLite 0.2 s in all, and others wait for it. */
const MOST_SAMPLED = 200_000;

export function createDecisionRepository(database: SqlDatabase): DecisionRepository {
  async function search(
    projectId: string,
    filter: DecisionFilter,
    { before, limit, withTexts = false }: PageOfDecisions,
  ): Promise<FoundDecisions> {
    const { candidates, rest, values, candidateValues } = questionOf(projectId, filter, before);
    const columns = withTexts ? ALL : LISTED;
    const first = (selected: string, most: number): string =>
      `select ${selected} from parapet.decision where ${candidates} order by id desc limit ${most}`;
    const rows = await database.read<DecisionRow>(
      rest === ''
        ? first(columns, limit)
        : `select * from (${first(columns, MOST_CANDIDATES)}) as candidate where ${rest} order by id desc limit ${limit}`,
      values,
    );
    const decisions = rows.map(decisionOf);
    if (decisions.length === limit) return { decisions, next: decisions.at(-1)?.id };
    if (rest === '') return { decisions, next: undefined };
    const [looked] = await database.read<{ last: string | null; howMany: number }>(
      `select min(id) as last, count(*) as how_many from (${first('id', MOST_CANDIDATES)}) as candidate`,
      candidateValues,
    );
    return { decisions, next: looked?.howMany === MOST_CANDIDATES ? (looked.last ?? undefined) : undefined };
  }

  return {
    async insertMany(decisions) {
      if (decisions.length === 0) return;
      const whole = decisions.length - (decisions.length % ROWS_OF_STATEMENT);
      const parts: (readonly Decision[])[] = decisions.slice(whole).map((decision) => [decision]);
      for (let from = 0; from < whole; from += ROWS_OF_STATEMENT) {
        parts.push(decisions.slice(from, from + ROWS_OF_STATEMENT));
      }
      await database.change((ask) =>
        Promise.all(parts.map((part) => ask(insertOf(part.length), part.flatMap(valuesOf)))),
      );
    },

    search,

    async *each(projectId, filter) {
      for (let before: string | undefined; ;) {
        const { decisions, next } = await search(projectId, filter, { before, limit: EXPORT_PAGE, withTexts: true });
        yield* decisions;
        if (next === undefined) return;
        before = next;
      }
    },

    async sample(projectId, since, most) {
      const latest = `select id from parapet.decision where project_id = $1 and id >= $2 order by id desc limit ${MOST_SAMPLED}`;
      const values = [projectId, firstIdAt(since)];
      const [counted] = await database.read<{ of: number }>(`select count(*) as of from (${latest}) as latest`, values);
      const of = counted?.of ?? 0;
      const distance = Math.max(1, Math.ceil(of / most));
      const ids = await database.read<{ id: string }>(
        `select id from (select id, row_number() over (order by id desc) as place from (${latest}) as latest) as numbered
         where (place - 1) % $3 = 0`,
        [...values, distance],
      );
      const decisions: Decision[] = [];
      for (let from = 0; from < ids.length; from += EXPORT_PAGE) {
        const part = ids.slice(from, from + EXPORT_PAGE).map(({ id }) => id);
        const places = part.map((_, index) => `$${index + 1}`).join(', ');
        const rows = await database.read<DecisionRow>(
          `select ${ALL} from parapet.decision where id in (${places}) and content is not null`,
          part,
        );
        decisions.push(...rows.map(decisionOf));
      }
      return { decisions, of };
    },

    async find(id) {
      const [row] = await database.read<DecisionRow>(`select ${ALL} from parapet.decision where id = $1`, [id]);
      return row && decisionOf(row);
    },

    async deleteByReference(projectId, reference) {
      const deleted = await database.change((ask) =>
        ask('delete from parapet.decision where project_id = $1 and reference = $2 returning id', [
          projectId,
          reference,
        ]),
      );
      return deleted.length;
    },

    async deleteDue(due, limit) {
      const [condition, values] =
        'deleteAt' in due
          ? ['delete_at <= $1 order by delete_at', [due.deleteAt]]
          : ['project_id = $1 and id < $2 order by id', [due.projectId, firstIdAt(due.before)]];
      const deleted = await database.change((ask) =>
        ask(
          `delete from parapet.decision where id in (select id from parapet.decision where ${condition} limit ${limit}) returning id`,
          values,
        ),
      );
      return deleted.length;
    },

    async *projects() {
      for (let last = ''; ;) {
        // One step in the index for each, and not one for each decision.
        const [row] = await database.read<{ projectId: string }>(
          'select project_id from parapet.decision where project_id > $1 order by project_id limit 1',
          [last],
        );
        if (row === undefined) return;
        yield row.projectId;
        last = row.projectId;
      }
    },

    async noteLost(lost) {
      await database.change(async (ask) => {
        for (const { projectId, day, lost: howMany } of lost) {
          await ask(
            `insert into parapet.decision_loss (project_id, day, lost) values ($1, $2, $3)
             on conflict (project_id, day) do update set lost = decision_loss.lost + excluded.lost`,
            [projectId, day, howMany],
          );
        }
      });
    },

    async lostSince(projectId, since) {
      const [row] = await database.read<{ lost: number }>(
        'select coalesce(sum(lost), 0) as lost from parapet.decision_loss where project_id = $1 and day >= $2',
        [projectId, since],
      );
      return row?.lost ?? 0;
    },
  };
}
