import type { ControlProps } from './field.tsx';

export interface ChoiceProps<Value extends string> {
  readonly control: ControlProps;
  /** The texts of the options, by their values. */
  readonly options: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A list that one is chosen of. */
export const Choice = <Value extends string>({ control, options, value, onChange }: ChoiceProps<Value>) => {
  const values = Object.keys(options) as Value[];
  return (
    <select
      {...control}
      class="input"
      value={value}
      onChange={(event) => {
        const chosen = values.find((each) => each === event.currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {values.map((each) => (
        <option key={each} value={each}>
          {options[each]}
        </option>
      ))}
    </select>
  );
};
