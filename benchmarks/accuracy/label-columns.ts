/** Which columns hold labels, and what the labels are about. */
import { type Label, LABELS, OperatorError } from 'parapet/engine';

export const LABEL_KINDS = [...LABELS, 'sentiment'] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

export interface LabelColumn {
  readonly kind: LabelKind;
  readonly name: string;
}

/** A column with the scores that the Perspective API gave for the attribute of a label. */
export interface PerspectiveColumn {
  readonly label: Label;
  readonly name: string;
}

export function parsePerspectiveColumns(values: readonly string[] = []): readonly PerspectiveColumn[] {
  return parseColumns('--perspective-column', values, 'toxicity').map(({ kind, name }) => {
    if (kind === 'sentiment') throw new OperatorError('--perspective-column: Perspective has no scores of sentiment');
    return { label: kind, name };
  });
}

export function parseLabelColumns(
  values: readonly string[] = [],
  kindFlag: string | undefined,
): readonly LabelColumn[] {
  const defaultKind = kindFlag === undefined ? 'toxicity' : kindOf(kindFlag);
  if (kindFlag !== undefined && defaultKind === undefined) {
    throw new OperatorError(`--label-kind must be one of ${LABEL_KINDS.join(', ')}`);
  }
  const columns = parseColumns('--label-column', values, defaultKind ?? 'toxicity');
  if (kindFlag !== undefined && !columns.some(({ plain }) => plain)) {
    throw new OperatorError('--label-kind needs --label-column without a kind in front');
  }
  return columns.map(({ kind, name }) => ({ kind, name }));
}

/** `C`, or `K=C` with a kind of label in front; anything else before an equals sign belongs to the name of the column. */
function parseColumns(
  flag: string,
  values: readonly string[],
  defaultKind: LabelKind,
): readonly (LabelColumn & { readonly plain: boolean })[] {
  const columns = values.map((value) => {
    const equals = value.indexOf('=');
    const kind = kindOf(value.slice(0, Math.max(0, equals)));
    if (kind !== undefined && equals < value.length - 1) return { kind, name: value.slice(equals + 1), plain: false };
    return { kind: defaultKind, name: value, plain: true };
  });
  const kinds = columns.map(({ kind }) => kind);
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice !== undefined) {
    throw new OperatorError(`there are two columns of ${flag} for ${twice}; put the kind in front: ${flag} insult=C`);
  }
  return columns;
}

function kindOf(value: string): LabelKind | undefined {
  return LABEL_KINDS.find((name) => name === value);
}
