import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { texts } from '../texts/shell.ts';
import { listCommands } from './commands.ts';
import { matchCommands } from './match-commands.ts';
import { isPaletteOpen } from './palette-state.ts';

/** Opens the palette with Ctrl+K or ⌘K, except over another dialog, whose input would be lost. */
export const usePaletteKey = (): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey))
        return;
      event.preventDefault();
      if (isPaletteOpen.value) isPaletteOpen.value = false;
      else if (document.querySelector('dialog[open]') === null) isPaletteOpen.value = true;
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
};

/** A field that searches commands, built on the combobox pattern of the ARIA Authoring Practices. */
export const Palette = () => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const typed = useSignal('');
  const at = useSignal(0);
  const found = matchCommands(listCommands(), typed.value);
  const close = (): void => {
    isPaletteOpen.value = false;
  };
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      // A command that opened a page or a dialog has already moved the focus there.
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at.value]);
  const run = (index: number): void => {
    const command = found[index];
    if (command === undefined) return;
    close();
    command.run();
  };
  const press = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move !== undefined && found.length > 0) {
      event.preventDefault();
      at.value = (at.value + move + found.length) % found.length;
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      run(at.value);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label={texts.palette.label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
      onKeyDown={press}
    >
      <input
        class="palette-input"
        role="combobox"
        aria-label={texts.palette.label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${at.value}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellcheck={false}
        placeholder={texts.palette.placeholder}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
      />
      <div ref={list} role="listbox" id={`${id}-list`} aria-label={texts.palette.label} class="palette-list">
        {found.map(({ title }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys of the list.
          <div
            key={title}
            role="option"
            id={`${id}-${index}`}
            tabIndex={-1}
            aria-selected={index === at.value}
            class="palette-option"
            onClick={() => run(index)}
          >
            {title}
          </div>
        ))}
      </div>
      <p class={found.length === 0 ? 'palette-none' : 'visually-hidden'} role="status">
        {found.length === 0 ? texts.palette.none : texts.palette.count(found.length)}
      </p>
    </dialog>
  );
};
