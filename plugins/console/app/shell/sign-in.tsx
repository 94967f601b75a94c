import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type ApiError, asApiError } from '../api/error.ts';
import { sessionState } from '../api/session.ts';
import { signIn } from '../api/sign-in.ts';
import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { Field } from '../components/field.tsx';
import { Logo } from '../components/icon.tsx';
import { ErrorText, Notice } from '../components/states.tsx';
import { texts } from '../texts/shell.ts';
import { viewerScopes } from './viewer-scopes.ts';

/** Asks for a key and explains where to get one. */
export const SignIn = () => {
  const key = useSignal('');
  const error = useSignal<ApiError | string | undefined>(undefined);
  const isBusy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = texts.signIn.title;
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
  const state = sessionState.value;
  return (
    <main class="sign-in">
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
        {state.status === 'none' && state.ended && <Notice>{texts.signIn.ended}</Notice>}
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
    </main>
  );
};
