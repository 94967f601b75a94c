import type { ComponentChildren } from 'preact';
import { texts } from '../texts/shell.ts';
import { Field } from './field.tsx';

/** A name that can be chosen, and its text. */
export interface NameOption {
  readonly name: string;
  readonly text: string;
}

export interface NameFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly options: readonly NameOption[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** With more names than this, the name is typed, with suggestions, because nobody finds one in a longer list. */
const maxListed = 100;

interface OptionsProps {
  readonly options: readonly NameOption[];
}

const Options = ({ options }: OptionsProps) =>
  options.map(({ name, text }) => (
    <option key={name} value={name}>
      {text}
    </option>
  ));

/** The names that a text field suggests, which refers to them by `id`. */
export const Suggestions = ({ id, options }: OptionsProps & { readonly id: string }) => (
  <datalist id={id}>
    <Options options={options} />
  </datalist>
);

/** A field for the name of a saved item: a list or, if there are many names, a text field that also accepts unlisted names. */
export const NameField = ({ label, hint, error, options, value, onChange }: NameFieldProps) => {
  const isLong = options.length > maxListed;
  const hints: readonly ComponentChildren[] = [hint, isLong ? texts.longList : undefined].filter(
    (each) => each !== undefined,
  );
  return (
    <Field label={label} error={error} {...(hints.length === 0 ? {} : { hint: hints.join(' ') })}>
      {(control) =>
        isLong ? (
          <>
            <input
              {...control}
              class="input"
              list={`${control.id}-names`}
              value={value}
              autocomplete="off"
              spellcheck={false}
              onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
              // These keys may submit the form of a page before the field fires its change event.
              onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
                if (key === 'Enter' && (ctrlKey || metaKey)) onChange(currentTarget.value.trim());
              }}
            />
            <Suggestions id={`${control.id}-names`} options={options} />
          </>
        ) : (
          <select
            {...control}
            class="input"
            value={value}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          >
            <Options options={options} />
            {!options.some(({ name }) => name === value) && <option value={value}>{value}</option>}
          </select>
        )
      }
    </Field>
  );
};
