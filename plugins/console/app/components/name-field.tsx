import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useLoaded } from '../api/load.ts';
import { maxSearch, type NameChoices } from '../api/name-choices.ts';
import { texts } from '../texts/shell.ts';
import { type ControlProps, Field } from './field.tsx';
import { useTypingPause } from './use-typing-pause.ts';

/** A name that can be chosen, and its text. */
export interface NameOption {
  readonly name: string;
  readonly text: string;
}

/** Returns the option of a name that is shown as it is. */
export const toNameOption = (name: string): NameOption => ({ name, text: name });

export interface NameFieldProps extends NameChoices<NameOption> {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
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

interface TypedNameProps extends Pick<NameFieldProps, 'options' | 'search' | 'value' | 'onChange'> {
  readonly control: ControlProps;
}

/** Returns the suggestions for a text that is typed, once no key has been pressed for a moment. */
export const useSuggestions = ({
  options,
  search,
}: NameChoices<NameOption>): {
  readonly suggestions: readonly NameOption[];
  /** Call it with each change of the text. */
  readonly suggest: (text: string) => void;
} => {
  const searched = useSignal('');
  const pause = useTypingPause();
  const isSearched = search !== undefined && searched.value !== '';
  const { state } = useLoaded(
    async (signal) => (isSearched ? search(searched.value, signal) : undefined),
    [search, searched.value],
  );
  return {
    // If the search fails, the name can still be typed.
    suggestions: (isSearched && state.value.status === 'ready' ? state.value.value : undefined) ?? options,
    suggest: (text) =>
      pause.after(() => {
        searched.value = text.trim();
      }),
  };
};

/** A name is typed, with suggestions that contain what has been typed so far. */
const TypedName = ({ control, options, search, value, onChange }: TypedNameProps) => {
  const { suggestions, suggest } = useSuggestions({ options, search });
  // Suggestions that arrive must not replace the typed text by the chosen name.
  const typed = useSignal(value);
  useLayoutEffect(() => {
    typed.value = value;
  }, [value]);
  return (
    <>
      <input
        {...control}
        class="input"
        list={`${control.id}-names`}
        value={typed.value}
        autocomplete="off"
        spellcheck={false}
        maxLength={maxSearch}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          suggest(currentTarget.value);
        }}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        // These keys may submit the form of a page before the field fires its change event.
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key === 'Enter' && (ctrlKey || metaKey)) onChange(currentTarget.value.trim());
        }}
      />
      <Suggestions id={`${control.id}-names`} options={suggestions.filter(({ name }) => name !== '')} />
    </>
  );
};

/** A field for the name of a saved item: a list or, if there are many names, a text field that also accepts unlisted names. */
export const NameField = ({ label, hint, error, options, search, value, onChange }: NameFieldProps) => {
  const isLong = search !== undefined || options.length > maxListed;
  const hints: readonly ComponentChildren[] = [hint, isLong ? texts.longList : undefined].filter(
    (each) => each !== undefined,
  );
  return (
    <Field label={label} error={error} {...(hints.length === 0 ? {} : { hint: hints.join(' ') })}>
      {(control) =>
        isLong ? (
          <TypedName control={control} options={options} search={search} value={value} onChange={onChange} />
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
