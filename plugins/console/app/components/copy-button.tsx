import { useSignal } from '@preact/signals';
import { texts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { showToast } from './toast.tsx';

/** A button that copies a text, and shows and announces that it did. */
export const CopyButton = ({ text, label = texts.copy }: { readonly text: string; readonly label?: string }) => {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
      setTimeout(() => {
        isCopied.value = false;
      }, 2000);
    } catch {
      showToast(texts.notCopied, 'error');
    }
  };
  return (
    <Button size="small" onClick={() => copy()}>
      <span aria-live="polite">{isCopied.value ? texts.copied : label}</span>
    </Button>
  );
};
