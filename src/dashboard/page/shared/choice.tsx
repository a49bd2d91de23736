/** A list to choose one of, or none: then what would apply without a choice is named in its place. */

interface ChoiceProps<Value extends string> {
  readonly values: readonly Value[];
  readonly wordsOf: (value: Value) => string;
  readonly value: Value | undefined;
  /** What applies where nothing is chosen; left out where something always is. */
  readonly otherwise?: string | undefined;
  readonly onChoose: (value: Value | undefined) => void;
  readonly label?: string;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { values, wordsOf, value, otherwise, onChoose, label } = props;
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(values.find((each) => each === currentTarget.value))}
    >
      {otherwise !== undefined && <option value="">{otherwise}</option>}
      {values.map((each) => (
        <option key={each} value={each}>
          {wordsOf(each)}
        </option>
      ))}
    </select>
  );
}
