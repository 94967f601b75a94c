import { signal } from '@preact/signals';
import type { ApiError } from '../api/error.ts';
import { texts } from '../texts/shell.ts';
import { SafeText } from './safe-text.tsx';

type ToastKind = 'success' | 'warning' | 'error' | 'info';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: ToastKind;
}

/** More toasts at once would cover the page. */
const maxToasts = 4;
const shownMs = 6000;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/** Toasts that must be read stay until they are closed. */
const lasting: ReadonlySet<ToastKind> = new Set(['warning', 'error']);

/** Shows the result of an action for some seconds; warnings and errors stay until they are closed. */
export const showToast = (text: string, kind: ToastKind = 'success'): void => {
  lastId += 1;
  const id = lastId;
  const shown = [...toasts.value, { id, text, kind }];
  // Toasts that close by themselves are removed first.
  const oldest = shown.find((toast) => toast.id !== id && !lasting.has(toast.kind)) ?? shown[0];
  toasts.value = shown.length > maxToasts ? shown.filter((toast) => toast !== oldest) : shown;
  if (!lasting.has(kind)) setTimeout(() => dismiss(id), shownMs);
};

/** Shows that something was saved, and all warnings of the gateway in one toast. */
export const showSaved = (text: string, warnings: readonly string[]): void => {
  showToast(text);
  if (warnings.length > 0) showToast(warnings.join('\n'), 'warning');
};

export const showError = ({ message, code }: ApiError): void =>
  showToast(code === '' ? message : `${message} (${code})`, 'error');

/** The current toasts. Screen readers announce them as they appear. */
export const Toasts = () => (
  <div class="toasts" aria-live="polite">
    {toasts.value.map(({ id, text, kind }) => (
      <div key={id} class={`toast ${kind}`}>
        <span>
          <SafeText text={text} />
        </span>
        <button type="button" class="button ghost small" aria-label={texts.close} onClick={() => dismiss(id)}>
          ×
        </button>
      </div>
    ))}
  </div>
);
