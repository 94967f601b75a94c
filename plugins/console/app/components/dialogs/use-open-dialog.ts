import { useSignal } from '@preact/signals';

/** The dialog that a page shows, if any. */
export interface OpenedDialog<Dialog extends object> {
  readonly now: Dialog | undefined;
  readonly open: (next: Dialog) => void;
  /** Closes the dialog of this rendering. A late response does nothing if the user has opened another dialog meanwhile. */
  readonly close: () => void;
  /** Whether the dialog of this rendering is still open. */
  readonly isOpen: () => boolean;
}

/** One dialog at a time: `useOpened<{ kind: 'add' } | { kind: 'edit'; item: Item }>()`. */
export const useOpenDialog = <Dialog extends object>(): OpenedDialog<Dialog> => {
  const opened = useSignal<Dialog | undefined>(undefined);
  const now = opened.value;
  const isOpen = (): boolean => opened.peek() === now;
  return {
    now,
    isOpen,
    open: (next) => {
      opened.value = next;
    },
    close: () => {
      if (isOpen()) opened.value = undefined;
    },
  };
};
