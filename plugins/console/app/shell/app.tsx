import { useEffect } from 'preact/hooks';
import { asApiError } from '../api/error.ts';
import { useLoaded } from '../api/load.ts';
import { forbiddenCount, sessionState } from '../api/session.ts';
import { followOtherPages, readSession } from '../api/sign-in.ts';
import { ErrorState, Spinner } from '../components/states.tsx';
import { Toasts } from '../components/toast.tsx';
import { removeDrafts } from '../pages/config/drafts.ts';
import { Layout } from './layout.tsx';
import { SignIn } from './sign-in.tsx';

/** Shows the sign-in page, or the layout with the current page if there is a session. */
export const App = () => {
  const { state, reload } = useLoaded(readSession);
  useEffect(() => {
    const report = (event: PromiseRejectionEvent): void => {
      // A view aborts its requests when it is closed.
      if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
    };
    window.addEventListener('unhandledrejection', report);
    return () => window.removeEventListener('unhandledrejection', report);
  }, []);
  useEffect(followOtherPages, []);
  const doubts = forbiddenCount.value;
  useEffect(() => {
    // The refused call already shows its error, so a failure to read the session again is not reported.
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
