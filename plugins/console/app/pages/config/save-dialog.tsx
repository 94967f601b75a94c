import type { VNode } from 'preact';
import { useChange } from '../../api/change.ts';
import type { ApiError } from '../../api/error.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ErrorText, Spinner } from '../../components/states.tsx';
import { texts } from '../../texts/config.ts';
import { Difference } from './difference.tsx';
import type { DryRun } from './use-checked-text.ts';

export interface SaveDialogProps {
  readonly title: string;
  readonly action: string;
  /** Undefined until the dry run has ended. */
  readonly dryRun: DryRun | undefined;
  readonly error?: ApiError | undefined;
  save(): Promise<void>;
  onClose(): void;
}

/** Shows what a version would change for requests before it goes into service. */
export const SaveDialog = ({ title, action, dryRun, error, save, onClose }: SaveDialogProps): VNode => {
  const { isBusy, refusal, make } = useChange();
  const errors = dryRun?.diagnostics.filter(({ severity }) => severity === 'error') ?? [];
  const shown = refusal.value ?? error;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.save.cancel}</Button>
          <Button
            kind="primary"
            isBusy={isBusy.value}
            isDisabled={dryRun === undefined || errors.length > 0}
            onClick={() => make(save)}
          >
            {action}
          </Button>
        </>
      }
    >
      {shown !== undefined && <ErrorText error={shown} />}
      {dryRun === undefined && shown === undefined && <Spinner />}
      {errors.length > 0 && (
        <ul class="error-text">
          {errors.map(({ code, pointer, message, hint }) => (
            <li key={`${code} ${pointer}`}>{`${pointer} ${message} ${hint}`}</li>
          ))}
        </ul>
      )}
      {dryRun?.comparison && <Difference comparison={dryRun.comparison} />}
      {dryRun !== undefined && dryRun.comparison === null && errors.length === 0 && <p>{texts.difference.none}</p>}
    </Dialog>
  );
};
