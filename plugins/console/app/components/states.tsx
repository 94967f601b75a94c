import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/error.ts';
import type { Loading } from '../api/load.ts';
import { texts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { CodeBlock } from './code-block.tsx';
import { SafeText } from './safe-text.tsx';

export const Spinner = ({ label = texts.loading }: { readonly label?: string }) => (
  <div class="spinner" role="status">
    <span class="spinner-ring" aria-hidden="true" />
    {label}
  </div>
);

/** An important sentence, such as `Your session has ended.` */
export const Notice = ({
  children,
  kind = 'info',
}: {
  readonly children: ComponentChildren;
  readonly kind?: 'info' | 'warning' | 'success';
}) => (
  <div class={`notice ${kind}`} role="status">
    {children}
  </div>
);

export interface ErrorTextProps {
  readonly error: ApiError | string;
  /** Whether the problem at a pointer is already shown at its field, so that it is not repeated here. */
  readonly isAtField?: (pointer: string) => boolean;
}

/** An error where it happened: its message, its problems by pointer, and its code. */
export const ErrorText = ({ error, isAtField = () => false }: ErrorTextProps) => {
  if (typeof error === 'string') return <p class="error-text">{error}</p>;
  const problems = error.problems.filter(({ pointer }) => !isAtField(pointer));
  if (problems.length < error.problems.length && problems.length === 0)
    return <p class="error-text">{texts.errors.atFields}</p>;
  return (
    <div class="error-text">
      <p>
        <SafeText text={error.message} />
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ pointer, message, hint }) => (
            <li key={`${pointer} ${message}`}>
              {pointer !== '' && <code>{pointer}</code>} <SafeText text={`${message} ${hint}`} />
            </li>
          ))}
        </ul>
      )}
      {error.code !== '' && <p class="muted">{texts.errors.code(error.code)}</p>}
    </div>
  );
};

/** A view that could not be loaded, with a button to try again. */
export const ErrorState = ({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) => (
  <div class="state" role="alert">
    <h2>{texts.errors.title}</h2>
    <ErrorText error={error} />
    {retry !== undefined && <Button onClick={retry}>{texts.retry}</Button>}
  </div>
);

export interface EmptyStateProps {
  readonly title: string;
  readonly hint?: string;
  /** A command for the next step. */
  readonly command?: string;
  /** Whether this is the only content of the page, so that its title is the page's heading. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}

/** An empty view: why it is empty, and what to do next. */
export const EmptyState = ({ title, hint, command, isPage = false, children }: EmptyStateProps) => (
  <div class="state">
    {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
    {hint !== undefined && <p class="muted">{hint}</p>}
    {command !== undefined && <CodeBlock text={command} />}
    {children}
  </div>
);

/** Shows a value once it is loaded, and before that its progress or error. During a reload the value stays visible, dimmed. */
export const Loaded = <Value,>({
  state,
  retry,
  children,
}: {
  readonly state: ReadonlySignal<Loading<Value>>;
  readonly retry: () => void;
  readonly children: (value: Value) => ComponentChildren;
}) => {
  const now = state.value;
  if (now.status === 'loading') return <Spinner />;
  if (now.status === 'failed') return <ErrorState error={now.error} retry={retry} />;
  return (
    <div class="loaded" aria-busy={now.isStale}>
      {children(now.value)}
    </div>
  );
};
