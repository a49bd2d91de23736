/** Which columns hold labels, and what the labels are about. */
import { LABELS, OperatorError } from 'parapet/engine';

export const LABEL_KINDS = [...LABELS, 'sentiment'] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

export interface LabelColumn {
  readonly kind: LabelKind;
  readonly name: string;
}

/** `C`, or `K=C` with a kind of label in front; anything else before an equals sign belongs to the name of the column. */
export function parseLabelColumns(
  values: readonly string[] = [],
  kindFlag: string | undefined,
): readonly LabelColumn[] {
  const defaultKind = kindFlag === undefined ? 'toxicity' : kindOf(kindFlag);
  if (kindFlag !== undefined && defaultKind === undefined) {
    throw new OperatorError(`--label-kind must be one of ${LABEL_KINDS.join(', ')}`);
  }
  const columns = values.map((value): LabelColumn & { plain: boolean } => {
    const equals = value.indexOf('=');
    const kind = kindOf(value.slice(0, Math.max(0, equals)));
    if (kind !== undefined && equals < value.length - 1) return { kind, name: value.slice(equals + 1), plain: false };
    return { kind: defaultKind ?? 'toxicity', name: value, plain: true };
  });
  if (kindFlag !== undefined && !columns.some(({ plain }) => plain)) {
    throw new OperatorError('--label-kind needs --label-column without a kind in front');
  }
  const kinds = columns.map(({ kind }) => kind);
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice !== undefined) {
    throw new OperatorError(`there are two label columns for ${twice}; put the kind in front: --label-column insult=C`);
  }
  return columns.map(({ kind, name }) => ({ kind, name }));
}

function kindOf(value: string): LabelKind | undefined {
  return LABEL_KINDS.find((name) => name === value);
}
