import { useSignal } from '@preact/signals';
import { type KeyChoices, offerKeys } from '../../api/key-choices.ts';
import { useLoaded } from '../../api/load.ts';
import { maxSearch } from '../../api/name-choices.ts';
import { NameField } from '../../components/name-field.tsx';
import { Loaded } from '../../components/states.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useTypingPause } from '../../components/use-typing-pause.ts';
import { texts } from '../../texts/policies.ts';
import { texts as shell } from '../../texts/shell.ts';

interface KeyFieldProps {
  /** The text that names the key: see `findKey`. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The key is typed, with suggestions that contain what has been typed so far. */
const TypedKey = ({ newest, value, error, onChange }: KeyFieldProps & { readonly newest: readonly string[] }) => {
  const searched = useSignal('');
  const pause = useTypingPause();
  const { state } = useLoaded<Pick<KeyChoices, 'texts'>>(
    async (signal) => (searched.value === '' ? { texts: newest } : offerKeys(searched.value, signal)),
    [searched.value],
  );
  // Without suggestions, the name can still be typed.
  const suggestions = state.value.status === 'ready' ? state.value.value.texts : newest;
  return (
    <TextField
      label={texts.form.values.api_key}
      hint={shell.longList}
      error={error}
      value={value}
      maxLength={maxSearch}
      suggestions={suggestions}
      onInput={(text) => {
        onChange(text);
        pause.after(() => {
          searched.value = text.trim();
        });
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
            options={[{ name: '', text: texts.form.chooseKey }, ...names.map((name) => ({ name, text: name }))]}
          />
        )
      }
    </Loaded>
  );
};
