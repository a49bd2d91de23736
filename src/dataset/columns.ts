/** Which columns of a labelled file are wanted, and what a record has in them. Knows nothing of formats. */

export interface Columns {
  readonly text: string;
  readonly label: string | undefined;
  /** Further columns with labels. */
  readonly moreLabels?: readonly string[];
  /** The column that says which groups a row belongs to. */
  readonly group?: string | undefined;
}

/** What the readers give for a record: the cells of the wanted columns. */
export interface Cells {
  readonly text: string;
  /** Those of `label` and `moreLabels`, in this order. */
  readonly labels: readonly string[];
  /** Names of groups. A cell that is empty or `null` names none. */
  readonly groups: readonly string[];
}

export function labelColumnsOf({ label, moreLabels = [] }: Columns): readonly string[] {
  return label === undefined ? [] : [label, ...moreLabels];
}
