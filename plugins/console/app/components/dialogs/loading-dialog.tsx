import type { ComponentChildren } from 'preact';
import type { Loader } from '../../api/load.ts';
import { Loaded } from '../states.tsx';
import { Dialog } from './dialog.tsx';

export interface LoadingDialogProps<Value> {
  /** The title of the dialog while the value is loaded. */
  readonly title: string;
  readonly loader: Loader<Value>;
  readonly onClose: () => void;
  /** Renders the dialog once the value is loaded. */
  readonly children: (value: Value) => ComponentChildren;
}

/** A dialog whose fields depend on a loaded value. Until the value is loaded, it shows progress or why loading failed. */
export const LoadingDialog = <Value,>({ title, loader, onClose, children }: LoadingDialogProps<Value>) => {
  const { state, reload } = loader;
  if (state.value.status === 'ready') return <>{children(state.value.value)}</>;
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded state={state} retry={reload}>
        {() => null}
      </Loaded>
    </Dialog>
  );
};
