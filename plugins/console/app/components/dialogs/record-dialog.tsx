import type { ComponentChildren } from 'preact';
import { useLoaded } from '../../api/load.ts';
import { anyTag, readRecord, type SavedRecord } from '../../api/saved-record.ts';
import { may } from '../../api/session.ts';
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

export interface ListedRecordDialogProps<Item> extends RecordDialogProps<Item> {
  /** The record as its list returns it, with all members of the form. */
  readonly listed: Item;
  /** The scope that reads the record. */
  readonly scope: string;
}

/**
 * The same for a record whose list has all members of the form. A key that may list and change records, but not read a single
 * one, edits the listed record; its changes cannot be compared with those of others.
 */
export const ListedRecordDialog = <Item,>({ listed, scope, ...dialog }: ListedRecordDialogProps<Item>) =>
  may(scope) ? <RecordDialog {...dialog} /> : dialog.children({ item: listed, etag: anyTag });
