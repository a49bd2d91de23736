/** The shape of a table of plain text, which every report is made of. */

export interface Table {
  readonly title: string;
  /** Empty for a table of names and values. */
  readonly headings: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly string[])[];
  readonly note?: string;
}
