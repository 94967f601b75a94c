import { Field } from './field.tsx';

export interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** The texts of the options by value. */
  readonly options: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A field with a list to choose one option from. */
export const ChoiceField = <Value extends string>({
  label,
  hint,
  error,
  options,
  value,
  onChange,
}: ChoiceFieldProps<Value>) => {
  const values = Object.keys(options) as Value[];
  return (
    <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
      {(control) => (
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
      )}
    </Field>
  );
};
