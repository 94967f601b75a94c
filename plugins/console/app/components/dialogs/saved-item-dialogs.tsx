import type { ComponentChildren } from 'preact';
import type { Loader } from '../../api/load.ts';
import type { SavedRecord } from '../../api/saved-record.ts';
import { showToast } from '../toast.tsx';
import { LoadingDialog } from './loading-dialog.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { RemoveItem } from './remove-item.tsx';

interface SavedItem {
  readonly slug: string;
  readonly name: string;
}

/** The open dialog: one of these, or another one that the page shows itself. */
interface OpenedItem<Item> {
  readonly kind: string;
  readonly item?: Item;
}

interface FormInput<Item, Kinds> {
  readonly kinds: Kinds;
  /** The whole item that is edited; absent for a new one. */
  readonly before?: SavedRecord<Item>;
}

export interface SavedItemDialogsProps<Item extends SavedItem, Kinds> {
  /** `add`, or `edit` or `remove` with an item of the list, which may lack members. */
  readonly now: OpenedItem<Item> | undefined;
  /** The path of the list in the control API, without /v1: `/providers`. */
  readonly path: string;
  /** The kinds that the fields of the form depend on. */
  readonly kinds: Loader<Kinds>;
  readonly texts: {
    readonly addTitle: string;
    readonly editTitle: (name: string) => string;
    readonly remove: string;
    readonly removeTitle: (name: string) => string;
    readonly removeText: string;
    readonly removed: (name: string) => string;
  };
  readonly onClose: () => void;
  /** Called if an item was deleted, or does not exist any more. */
  readonly onRemoved: () => void;
  /** The form. */
  readonly children: (input: FormInput<Item, Kinds>) => ComponentChildren;
}

/** The dialogs that create, edit and delete an item of a list. A form opens once everything that it shows is loaded. */
export const SavedItemDialogs = <Item extends SavedItem, Kinds>({
  now: { kind, item } = { kind: 'none' },
  path,
  kinds,
  texts,
  onClose,
  onRemoved,
  children,
}: SavedItemDialogsProps<Item, Kinds>) => {
  if (kind === 'add')
    return (
      <LoadingDialog title={texts.addTitle} loader={kinds} onClose={onClose}>
        {(loaded) => children({ kinds: loaded })}
      </LoadingDialog>
    );
  if (item === undefined) return null;
  const { slug, name } = item;
  if (kind === 'edit')
    return (
      <LoadingDialog title={texts.editTitle(name)} loader={kinds} onClose={onClose}>
        {(loaded) => (
          <RecordDialog<Item>
            path={`${path}/${slug}`}
            title={texts.editTitle(name)}
            onClose={onClose}
            onGone={onRemoved}
          >
            {(before) => children({ kinds: loaded, before })}
          </RecordDialog>
        )}
      </LoadingDialog>
    );
  if (kind === 'remove')
    return (
      <RemoveItem
        path={`${path}/${slug}`}
        title={texts.removeTitle(name)}
        action={texts.remove}
        text={texts.removeText}
        onClose={onClose}
        onRemoved={() => {
          onClose();
          showToast(texts.removed(name));
          onRemoved();
        }}
      />
    );
  return null;
};
