import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { asApiError } from '../api/error.ts';
import { useLoaded } from '../api/load.ts';
import { refusalCount, type Session, sessionState } from '../api/session.ts';
import { followOtherPages, readSession } from '../api/sign-in.ts';
import { ErrorState, Spinner } from '../components/states.tsx';
import { Toasts } from '../components/toast.tsx';
import { putBackDrafts, takeDrafts } from '../pages/config/drafts.ts';
import { Layout } from './layout.tsx';
import { SignIn, SignInAgain } from './sign-in.tsx';

const openStorage = (): Storage => window.sessionStorage;

/**
 * Keeps drafts out of the storage while nobody is signed in. If the gateway has ended the session, they are kept in memory until
 * the same principal signs in again.
 */
const useHeldDrafts = (): void => {
  const held = useRef<
    { readonly drafts: ReadonlyMap<string, string>; readonly owner: Session['principal'] } | undefined
  >(undefined);
  const now = sessionState.value;
  useLayoutEffect(() => {
    if (now.status === 'unknown') return;
    const { current } = held;
    held.current = undefined;
    if (now.status === 'none') takeDrafts(openStorage);
    else if (now.status === 'ended') held.current = { drafts: takeDrafts(openStorage), owner: now.session.principal };
    else if (current !== undefined && current.owner.id === now.session.principal.id)
      putBackDrafts(openStorage, current.drafts);
  }, [now]);
};

/** Shows the sign-in page, or the layout with the current page if there is a session, below a sign-in if the session has ended. */
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
  const doubts = refusalCount.value;
  useEffect(() => {
    // The refused call already shows its error, so a failure to read the session again is not reported.
    if (doubts > 0) readSession().catch(() => undefined);
  }, [doubts]);
  const { status } = sessionState.value;
  useHeldDrafts();
  return (
    <>
      {(status === 'signed-in' || status === 'ended') && <Layout />}
      {status === 'ended' && <SignInAgain />}
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
