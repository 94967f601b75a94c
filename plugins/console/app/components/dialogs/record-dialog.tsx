import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { isNotFound } from '../../api/error.ts';
import { useLoaded } from '../../api/load.ts';
import { readRecord, type SavedRecord } from '../../api/saved-record.ts';
import { texts } from '../../texts/shell.ts';
import { Dialog } from './dialog.tsx';
import { LoadingDialog } from './loading-dialog.tsx';

export interface RecordDialogProps<Item> {
  /** The path of the record in the control API, without /v1. */
  readonly path: string;
  /** The title of the dialog while the record is loaded. */
  readonly title: string;
  readonly onClose: () => void;
  /** Called if the record does not exist any more, so that its list is out of date. */
  readonly onGone: () => void;
  readonly children: (record: SavedRecord<Item>) => ComponentChildren;
}

/** A dialog that edits a record. It opens once the whole record is loaded, because lists may lack members, and have no tags. */
export const RecordDialog = <Item,>({ path, title, onClose, onGone, children }: RecordDialogProps<Item>) => {
  const loader = useLoaded((signal) => readRecord<Item>(path, signal), [path]);
  const now = loader.state.value;
  const isGone = now.status === 'failed' && isNotFound(now.error);
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone]);
  if (isGone)
    return (
      <Dialog title={title} onClose={onClose}>
        <p role="alert">{texts.gone}</p>
      </Dialog>
    );
  return (
    <LoadingDialog title={title} loader={loader} onClose={onClose}>
      {children}
    </LoadingDialog>
  );
};
