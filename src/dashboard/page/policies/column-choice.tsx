/** The columns of a file to choose one of, or none. */
import { Choice } from '../shared/choice.js';

interface ColumnChoiceProps {
  readonly columns: readonly string[];
  /** Empty where none is chosen. */
  readonly value: string;
  /** What applies then. */
  readonly otherwise: string;
  readonly onChoose: (column: string) => void;
}

export function ColumnChoice({ columns, value, otherwise, onChoose }: ColumnChoiceProps) {
  const distinct = [...new Set(columns)].filter((column) => column !== '');
  return (
    <Choice
      values={distinct}
      wordsOf={(column) => column}
      value={value === '' ? undefined : value}
      otherwise={otherwise}
      onChoose={(column) => onChoose(column ?? '')}
    />
  );
}
