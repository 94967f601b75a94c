import { useSignal } from '@preact/signals';
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Field } from './field.tsx';
import { useTypingPause } from './use-typing-pause.ts';

export interface SearchFieldProps {
  readonly label: string;
  /** The text that is searched for. */
  readonly value: string;
  readonly maxLength: number;
  readonly onSearch: (text: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** A field that searches a list for its text, once no key has been pressed for a moment, or Enter has. */
export const SearchField = ({ label, value, maxLength, onSearch, inputRef }: SearchFieldProps) => {
  const typed = useSignal(value);
  const searched = useRef(value);
  const pause = useTypingPause();
  const search = (): void => {
    pause.cancel();
    searched.current = typed.peek().trim();
    onSearch(searched.current);
  };
  // The history and links change the text too.
  useEffect(() => {
    if (value === searched.current) return;
    pause.cancel();
    searched.current = value;
    typed.value = value;
  }, [value]);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <Field label={label}>
          {(control) => (
            <input
              {...control}
              ref={inputRef ?? null}
              class="input"
              type="search"
              autocomplete="off"
              spellcheck={false}
              maxLength={maxLength}
              value={typed.value}
              onInput={({ currentTarget }) => {
                typed.value = currentTarget.value;
                pause.after(search);
              }}
            />
          )}
        </Field>
      </form>
    </search>
  );
};
