import { readJson, requireOk, send } from './client.ts';
import { toApiError } from './error.ts';
import {
  endedState,
  nextSessionEpoch,
  type Session,
  type SessionState,
  sessionEpoch,
  sessionState,
  workspace,
} from './session.ts';

const route = '/console/session';

/** All pages of a browser share one session. Each page notifies the others when it begins or ends a session. */
const otherPages = new BroadcastChannel('gatewright-session');

const isSame = (one: SessionState, other: SessionState): boolean =>
  'session' in one && 'session' in other && one.session.principal.id === other.session.principal.id;

/** Shows a session. If its principal differs from the previous one, the choice of a workspace is reset. */
const show = (next: SessionState): void => {
  if (!isSame(sessionState.peek(), next)) workspace.value = '';
  sessionState.value = next;
};

const none: SessionState = { status: 'none' };

/** Reads whether this browser is signed in. Drops the response if a later read, a sign-in or a sign-out has overtaken it. */
export const readSession = async (): Promise<void> => {
  const turn = nextSessionEpoch();
  const answer = await send('GET', route);
  const isRefused = answer.status === 401;
  const session: Session | { readonly principal: null } = isRefused
    ? { principal: null }
    : await readJson(await requireOk(answer, turn));
  if (turn !== sessionEpoch()) return;
  show(session.principal === null ? endedState(sessionState.peek()) : { status: 'signed-in', session });
};

/** Shows no session, because the user has signed out in this page or another one. */
const showSignedOut = (): void => {
  nextSessionEpoch();
  show(none);
};

/** Follows other pages of this browser: reads the session that one of them has begun, and ends the one that the user has ended. */
export const followOtherPages = (): (() => void) => {
  const follow = ({ data }: MessageEvent<unknown>): void => {
    if (data === 'ended') showSignedOut();
    // If the gateway does not respond, the next call reports it.
    else readSession().catch(() => undefined);
  };
  otherPages.addEventListener('message', follow);
  return () => otherPages.removeEventListener('message', follow);
};

/** Begins a session with a key. Throws an `ApiError` if the gateway rejects the key. */
export const signIn = async (key: string): Promise<void> => {
  const answer = await send('POST', route, { body: { key } });
  if (!answer.ok) throw toApiError(answer.status, await answer.text());
  const session = await readJson<Session>(answer);
  nextSessionEpoch();
  show({ status: 'signed-in', session });
  otherPages.postMessage('begun');
};

/** Ends the session here and in the store. */
export const signOut = async (): Promise<void> => {
  const answer = await send('DELETE', route);
  if (!answer.ok && answer.status !== 401) throw toApiError(answer.status, await answer.text());
  showSignedOut();
  otherPages.postMessage('ended');
};
