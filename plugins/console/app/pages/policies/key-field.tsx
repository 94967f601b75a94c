import { offerKeys } from '../../api/key-choices.ts';
import { useLoaded } from '../../api/load.ts';
import { maxSearch } from '../../api/name-choices.ts';
import { NameField, type NameOption, toNameOption, useSuggestions } from '../../components/name-field.tsx';
import { Loaded } from '../../components/states.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts } from '../../texts/policies.ts';
import { texts as shell } from '../../texts/shell.ts';

interface KeyFieldProps {
  /** The text that names the key: see `findKey`. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

const searchKeys = async (text: string, signal: AbortSignal): Promise<readonly NameOption[]> =>
  (await offerKeys(text, signal)).texts.map(toNameOption);

/** The key is typed, with suggestions that contain what has been typed so far. */
const TypedKey = ({ newest, value, error, onChange }: KeyFieldProps & { readonly newest: readonly string[] }) => {
  const { suggestions, suggest } = useSuggestions({ options: newest.map(toNameOption), search: searchKeys });
  return (
    <TextField
      label={texts.form.values.api_key}
      hint={shell.longList}
      error={error}
      value={value}
      maxLength={maxSearch}
      suggestions={suggestions.map(({ name }) => name)}
      onInput={(text) => {
        onChange(text);
        suggest(text);
      }}
    />
  );
};

/** A field for a key, by its name: a list, or a text field with suggestions if there are many keys. */
export const KeyField = (props: KeyFieldProps) => {
  const { state, reload } = useLoaded((signal) => offerKeys('', signal));
  return (
    <Loaded state={state} retry={reload}>
      {({ texts: names, isMore }) =>
        isMore ? (
          <TypedKey {...props} newest={names} />
        ) : (
          <NameField
            {...props}
            label={texts.form.values.api_key}
            options={[{ name: '', text: texts.form.chooseKey }, ...names.map(toNameOption)]}
          />
        )
      }
    </Loaded>
  );
};
