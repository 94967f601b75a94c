import { readJson, requireOk, send } from './client.ts';
import { toApiError } from './error.ts';
import { nextSessionEpoch, type Session, type SessionState, sessionEpoch, sessionState, workspace } from './session.ts';

const route = '/console/session';

/** All pages of a browser share one session. Each page notifies the others when it begins or ends a session. */
const otherPages = new BroadcastChannel('gatewright-session');

const isSame = (one: SessionState, other: SessionState): boolean =>
  one.status === 'signed-in' && other.status === 'signed-in' && one.session.principal.id === other.session.principal.id;

/** Shows a session. If its principal differs from the previous one, the choice of a workspace is reset. */
const show = (next: SessionState): void => {
  if (!isSame(sessionState.peek(), next)) workspace.value = '';
  sessionState.value = next;
};

const none: SessionState = { status: 'none', ended: false };

/** Reads whether this browser is signed in. Drops the response if a later read, a sign-in or a sign-out has overtaken it. */
export const readSession = async (): Promise<void> => {
  const turn = nextSessionEpoch();
  const answer = await send('GET', route);
  const isRefused = answer.status === 401;
  const session: Session | { readonly principal: null } = isRefused
    ? { principal: null }
    : await readJson(await requireOk(answer, turn));
  if (turn === sessionEpoch()) show(session.principal === null ? none : { status: 'signed-in', session });
};

/** Reads the session again when another page of this browser has begun or ended one. */
export const followOtherPages = (): (() => void) => {
  const ask = (): void => {
    // If the gateway does not respond, the next call reports it.
    readSession().catch(() => undefined);
  };
  otherPages.addEventListener('message', ask);
  return () => otherPages.removeEventListener('message', ask);
};

/** Begins a session with a key. Throws an `ApiError` if the gateway rejects the key. */
export const signIn = async (key: string): Promise<void> => {
  const answer = await send('POST', route, { body: { key } });
  if (!answer.ok) throw toApiError(answer.status, await answer.text());
  const session = await readJson<Session>(answer);
  nextSessionEpoch();
  workspace.value = '';
  sessionState.value = { status: 'signed-in', session };
  otherPages.postMessage('begun');
};

/** Ends the session here and in the store. */
export const signOut = async (): Promise<void> => {
  const answer = await send('DELETE', route);
  if (!answer.ok && answer.status !== 401) throw toApiError(answer.status, await answer.text());
  nextSessionEpoch();
  sessionState.value = none;
  otherPages.postMessage('ended');
};
