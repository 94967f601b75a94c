import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Change } from '../../api/change.ts';
import type { SavedRecord } from '../../api/saved-record.ts';
import { texts } from '../../texts/shell.ts';
import { Button } from '../button.tsx';
import { focusFirstError } from '../field.tsx';
import { SaveRefusal } from '../save-refusal.tsx';
import { Dialog } from './dialog.tsx';

export interface FormDialogProps {
  readonly title: string;
  /** The text of the save button. */
  readonly action: string;
  readonly change: Pick<Change, 'isBusy' | 'refusal'>;
  readonly onClose: () => void;
  /** Saves the form; with `seen`, over a record that somebody else has changed in the meantime. */
  readonly onSave: (seen?: SavedRecord<object>) => void;
  /** The fields. */
  readonly children: ComponentChildren;
}

/** A dialog with a form. Its button and Enter save it, one save at a time. A refusal is shown below the fields. */
export const FormDialog = ({
  title,
  action,
  change: { isBusy, refusal },
  onClose,
  onSave,
  children,
}: FormDialogProps) => {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [submits, setSubmits] = useState(0);
  useEffect(() => {
    if (submits > 0 && !isBusy.value) focusFirstError(form.current);
  }, [submits, isBusy.value]);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={id} isBusy={isBusy.value}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isBusy.value) return;
          onSave();
          setSubmits((count) => count + 1);
        }}
      >
        {children}
        <SaveRefusal refusal={refusal.value} onOverwrite={onSave} />
      </form>
    </Dialog>
  );
};
