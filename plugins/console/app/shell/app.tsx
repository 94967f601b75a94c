import { useEffect } from 'preact/hooks';
import { asApiError } from '../api/error.ts';
import { useLoaded } from '../api/load.ts';
import { scopeDoubts, sessionState } from '../api/session.ts';
import { followOtherPages, readSession } from '../api/sign-in.ts';
import { removeDrafts } from '../pages/config/drafts.ts';
import { ErrorState, Spinner } from '../parts/states.tsx';
import { Toasts } from '../parts/toast.tsx';
import { Layout } from './layout.tsx';
import { SignIn } from './sign-in.tsx';

/** The sign-in page or the layout with a page in it, by the session. */
export const App = () => {
  const { state, reload } = useLoaded(readSession);
  useEffect(() => {
    const report = (event: PromiseRejectionEvent): void => {
      // A view that was left aborts what it asked for.
      if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
    };
    window.addEventListener('unhandledrejection', report);
    return () => window.removeEventListener('unhandledrejection', report);
  }, []);
  useEffect(followOtherPages, []);
  const doubts = scopeDoubts.value;
  useEffect(() => {
    // A refusal is shown where it happened; that its reason cannot be read again is no other one.
    if (doubts > 0) readSession().catch(() => undefined);
  }, [doubts]);
  const { status } = sessionState.value;
  useEffect(() => {
    if (status === 'none') removeDrafts(() => window.sessionStorage);
  }, [status]);
  return (
    <>
      {status === 'signed-in' && <Layout />}
      {status === 'none' && <SignIn />}
      {status === 'unknown' &&
        (state.value.status === 'failed' ? (
          <main class="alone">
            <ErrorState error={asApiError(state.value.error)} retry={reload} />
          </main>
        ) : (
          <main class="alone">
            <Spinner />
          </main>
        ))}
      <Toasts />
    </>
  );
};
