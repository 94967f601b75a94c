import type { ComponentChildren } from 'preact';
import { useLoaded } from '../../api/load.ts';
import { readRecord, type SavedRecord } from '../../api/saved-record.ts';
import { LoadingDialog } from './loading-dialog.tsx';

export interface RecordDialogProps<Item> {
  /** The path of the record in the control API, without /v1. */
  readonly path: string;
  /** The title of the dialog while the record is loaded. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: (record: SavedRecord<Item>) => ComponentChildren;
}

/** A dialog that edits a record. It opens once the whole record is loaded, because lists may lack members, and have no tags. */
export const RecordDialog = <Item,>({ path, title, onClose, children }: RecordDialogProps<Item>) => {
  const loader = useLoaded((signal) => readRecord<Item>(path, signal), [path]);
  return (
    <LoadingDialog title={title} loader={loader} onClose={onClose}>
      {children}
    </LoadingDialog>
  );
};
