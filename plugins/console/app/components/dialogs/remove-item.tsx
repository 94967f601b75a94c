import { useChange } from '../../api/change.ts';
import { remove } from '../../api/client.ts';
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
  readonly onRemoved: () => void;
}

/** Asks for confirmation, deletes an item, and shows why it could not be deleted. */
export const RemoveItem = ({ path, title, action, text, onClose, onRemoved }: RemoveItemProps) => {
  const { isBusy, refusal, make } = useChange();
  const confirm = () =>
    make(async () => {
      await remove(path);
      onRemoved();
    });
  return (
    <Confirm title={title} action={action} isBusy={isBusy.value} onConfirm={() => void confirm()} onClose={onClose}>
      <p>{text}</p>
      <div aria-live="polite">{refusal.value !== undefined && <ErrorText error={refusal.value} />}</div>
    </Confirm>
  );
};
