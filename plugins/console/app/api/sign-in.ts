import { requireOk, send } from './client.ts';
import { toApiError } from './error.ts';
import { type Session, sessionState, workspace } from './session.ts';

const route = '/console/session';

const toSession = async (answer: Response): Promise<Session> => JSON.parse(await answer.text());

/** Asks whether this browser is signed in. */
export const readSession = async (): Promise<void> => {
  const answer = await send('GET', route);
  if (answer.status === 401) {
    sessionState.value = { status: 'none', ended: false };
    return;
  }
  const session: Session | { readonly principal: null } = await toSession(await requireOk(answer));
  sessionState.value = session.principal === null ? { status: 'none', ended: false } : { status: 'signed-in', session };
};

/** Begins a session with a key; throws an `ApiError` if the gateway refuses it. */
export const signIn = async (key: string): Promise<void> => {
  const answer = await send('POST', route, { body: { key } });
  if (!answer.ok) throw toApiError(answer.status, await answer.text());
  workspace.value = '';
  sessionState.value = { status: 'signed-in', session: await toSession(answer) };
};

/** Ends the session here and in the store. */
export const signOut = async (): Promise<void> => {
  const answer = await send('DELETE', route);
  if (!answer.ok && answer.status !== 401) throw toApiError(answer.status, await answer.text());
  sessionState.value = { status: 'none', ended: false };
};
