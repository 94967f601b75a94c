import type { ComponentChildren } from 'preact';
import { texts } from '../texts/shell.ts';
import { Field } from './field.tsx';

/** A name that can be chosen, with its text. */
export interface NameOption {
  readonly name: string;
  readonly text: string;
}

export interface NameFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly NameOption[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** More names are written, with suggestions: nobody finds one in a longer list. */
const maxListed = 100;

/** A field of the name of something that is saved: one of a list is chosen; of a long one it can be written too, and may be a name that is not listed. */
export const NameField = ({ label, hint, options, value, onChange }: NameFieldProps) => {
  const isLong = options.length > maxListed;
  const hints: readonly ComponentChildren[] = [hint, isLong ? texts.longList : undefined].filter(
    (each) => each !== undefined,
  );
  return (
    <Field label={label} {...(hints.length === 0 ? {} : { hint: hints.join(' ') })}>
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
              // A page may send its form by these keys, before the field says that it has changed.
              onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
                if (key === 'Enter' && (ctrlKey || metaKey)) onChange(currentTarget.value.trim());
              }}
            />
            <datalist id={`${control.id}-names`}>
              {options.map(({ name, text }) => (
                <option key={name} value={name}>
                  {text}
                </option>
              ))}
            </datalist>
          </>
        ) : (
          <select
            {...control}
            class="input"
            value={value}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          >
            {options.map(({ name, text }) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
            {!options.some(({ name }) => name === value) && <option value={value}>{value}</option>}
          </select>
        )
      }
    </Field>
  );
};
