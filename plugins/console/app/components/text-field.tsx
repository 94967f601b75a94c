import { Field } from './field.tsx';
import { Suggestions } from './name-field.tsx';

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly type?: 'text' | 'datetime-local';
  /** The keyboard that a phone shows. */
  readonly inputMode?: 'text' | 'decimal' | 'numeric';
  readonly placeholder?: string;
  /** Texts that are offered while one types. */
  readonly suggestions?: readonly string[];
  readonly maxLength?: number;
}

/** A single-line text field. */
export const TextField = ({
  label,
  value,
  onInput,
  hint,
  error,
  type = 'text',
  inputMode = 'text',
  placeholder = '',
  suggestions,
  maxLength,
}: TextFieldProps) => (
  <Field label={label} error={error} {...(hint === undefined ? {} : { hint })}>
    {(control) => {
      const attributes = {
        ...control,
        class: 'input',
        inputMode,
        placeholder,
        maxLength,
        list: suggestions && `${control.id}-suggestions`,
        autoComplete: 'off',
        spellcheck: false,
        value,
        onInput: (event: { readonly currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
      };
      return (
        <>
          {type === 'text' ? <input {...attributes} type="text" /> : <input {...attributes} type={type} />}
          {suggestions !== undefined && (
            <Suggestions id={`${control.id}-suggestions`} options={suggestions.map((name) => ({ name, text: '' }))} />
          )}
        </>
      );
    }}
  </Field>
);
