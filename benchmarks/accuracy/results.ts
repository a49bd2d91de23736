/** What a run found out: the shape of the `--json` file, and what both reports are made from. Holds no texts. */
import type { LabelKind } from './arguments.js';
import type { BinaryFigures, SentimentFigures } from './evaluation.js';
import type { FlagRates } from './flag-rates.js';

export interface Results {
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
  readonly file: string;
  readonly textColumn: string;
  readonly labelColumn: string | null;
  readonly labelKind: LabelKind | null;
  readonly positive: string | null;
  /** Where the judging happened. */
  readonly judge: string;
  /** Model and version; `null` when every row was skipped. */
  readonly model: string | null;
  readonly rows: number;
  readonly judged: number;
  /** Rows that could not be judged, per error code. They are in no figure. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  /** `null` without a label column. */
  readonly figures: BinaryFigures | SentimentFigures | null;
  readonly flagRates: FlagRates;
  readonly notes: readonly string[];
}
