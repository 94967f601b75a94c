import { useSignal } from '@preact/signals';
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Field } from './field.tsx';

export interface SearchFieldProps {
  readonly label: string;
  /** The text that is searched for. */
  readonly value: string;
  readonly maxLength: number;
  readonly onSearch: (text: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** How long after the last key the typed text is searched for, so that a word is not searched for letter by letter. */
const pauseMs = 250;

/** A field that searches a list for its text, once no key has been pressed for a moment, or Enter has. */
export const SearchField = ({ label, value, maxLength, onSearch, inputRef }: SearchFieldProps) => {
  const typed = useSignal(value);
  const searched = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stop = (): void => clearTimeout(timer.current);
  const search = (): void => {
    stop();
    searched.current = typed.peek().trim();
    onSearch(searched.current);
  };
  // The history and links change the text too.
  useEffect(() => {
    if (value === searched.current) return;
    stop();
    searched.current = value;
    typed.value = value;
  }, [value]);
  useEffect(() => stop, []);
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
                stop();
                timer.current = setTimeout(search, pauseMs);
              }}
            />
          )}
        </Field>
      </form>
    </search>
  );
};
