import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type ApiError, asApiError } from '../api/error.ts';
import { signIn } from '../api/sign-in.ts';
import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { Field } from '../components/field.tsx';
import { Logo } from '../components/icon.tsx';
import { ErrorText, Notice } from '../components/states.tsx';
import { texts } from '../texts/shell.ts';
import { viewerScopes } from './viewer-scopes.ts';

/** Asks for a key and explains where to get one. */
const SignInForm = ({ children }: { readonly children?: ComponentChildren }) => {
  const key = useSignal('');
  const error = useSignal<ApiError | string | undefined>(undefined);
  const isBusy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const submit = async (): Promise<void> => {
    if (key.value.trim() === '') {
      error.value = texts.signIn.missing;
      field.current?.focus();
      return;
    }
    isBusy.value = true;
    error.value = undefined;
    try {
      await signIn(key.value.trim());
    } catch (thrown) {
      const refused = asApiError(thrown);
      error.value = refused.status === 401 ? texts.signIn.unknown : refused;
      field.current?.focus();
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      class="card sign-in-card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Logo />
      <h1>{texts.signIn.title}</h1>
      {children}
      <Field label={texts.signIn.label} hint={texts.signIn.hint}>
        {(control) => (
          <input
            {...control}
            ref={field}
            class="input"
            type="password"
            autoComplete="current-password"
            spellcheck={false}
            aria-invalid={error.value !== undefined}
            value={key.value}
            onInput={(event) => {
              key.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      <div aria-live="assertive">{error.value !== undefined && <ErrorText error={error.value} />}</div>
      <Button kind="primary" type="submit" isBusy={isBusy.value}>
        {isBusy.value ? texts.signIn.busy : texts.signIn.submit}
      </Button>
      <div class="sign-in-help">
        <p class="muted">{texts.signIn.where}</p>
        <CodeBlock text={texts.signIn.command(viewerScopes)} />
      </div>
    </form>
  );
};

/** The page that asks for a key. */
export const SignIn = () => {
  useEffect(() => {
    document.title = texts.signIn.title;
  }, []);
  return (
    <main class="sign-in">
      <SignInForm />
    </main>
  );
};

/** Covers the page and its dialogs until somebody signs in again. They stay as they are, with all that is typed in them. */
export const SignInAgain = () => {
  const element = useRef<HTMLDialogElement>(null);
  // The browser closes a dialog after Escape was pressed twice, even if the page prevents it.
  const open = (): void => {
    if (element.current?.isConnected === true) element.current.showModal();
  };
  useEffect(() => {
    const before = document.activeElement;
    open();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="sign-in-again"
      aria-label={texts.signIn.title}
      onCancel={(event) => event.preventDefault()}
      onClose={open}
    >
      <div class="sign-in">
        <SignInForm>
          <Notice>{texts.signIn.ended}</Notice>
        </SignInForm>
      </div>
    </dialog>
  );
};
