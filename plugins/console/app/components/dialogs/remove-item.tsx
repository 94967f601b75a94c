import type { ComponentChildren } from 'preact';
import { useChange } from '../../api/change.ts';
import { remove } from '../../api/client.ts';
import { isNotFound } from '../../api/error.ts';
import { ErrorText } from '../states.tsx';
import { Confirm } from './dialog.tsx';

export interface RemoveItemProps {
  /** The path in the control API, without /v1. */
  readonly path: string;
  readonly title: string;
  readonly action: string;
  /** Explains the consequences. */
  readonly text: string;
  readonly onClose: () => void;
  /** Called once the item does not exist, even if somebody else has deleted it. */
  readonly onRemoved: () => void;
  /** What else is to be considered. */
  readonly children?: ComponentChildren;
}

const removeIfPresent = async (path: string): Promise<void> => {
  try {
    await remove(path);
  } catch (thrown) {
    if (!isNotFound(thrown)) throw thrown;
  }
};

/** Asks for confirmation, deletes an item, and shows why it could not be deleted. */
export const RemoveItem = ({ path, title, action, text, onClose, onRemoved, children }: RemoveItemProps) => {
  const { isBusy, refusal, make } = useChange();
  const confirm = () =>
    make(async () => {
      await removeIfPresent(path);
      onRemoved();
    });
  return (
    <Confirm title={title} action={action} isBusy={isBusy.value} onConfirm={() => void confirm()} onClose={onClose}>
      <p>{text}</p>
      {children}
      <div aria-live="polite">{refusal.value !== undefined && <ErrorText error={refusal.value} />}</div>
    </Confirm>
  );
};
