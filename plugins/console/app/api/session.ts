import { computed, signal } from '@preact/signals';

export interface Workspace {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** The response of `/console/session`: who is signed in, and what the key may do. */
export interface Session {
  readonly principal: {
    readonly id?: string;
    readonly name?: string;
    readonly kind?: string;
    readonly reach?: string;
  };
  readonly scopes: readonly string[];
  readonly workspaces: readonly Workspace[];
  /** Unix time in seconds. */
  readonly expires_at?: number;
}

/** `unknown` until the gateway has responded. `ended` is set if there was a session, so that the page can say that it ended. */
export type SessionState =
  | { readonly status: 'unknown' }
  | { readonly status: 'none'; readonly ended: boolean }
  | { readonly status: 'signed-in'; readonly session: Session };

export const sessionState = signal<SessionState>({ status: 'unknown' });

/** The slug of the selected workspace. Empty for the workspace of the key, or for all workspaces of an organisation. */
export const workspace = signal('');

export const session = computed(() =>
  sessionState.value.status === 'signed-in' ? sessionState.value.session : undefined,
);

/** Whether the session's key has all of these scopes. */
export const may = (...scopes: readonly string[]): boolean =>
  scopes.every((scope) => session.value?.scopes.includes(scope) ?? false);

/** Counts 403 responses. Each one may mean that the scopes of the session's key have changed. */
export const forbiddenCount = signal(0);

/** Counts sign-ins, sign-outs and reads of the session. A response from an earlier turn is ignored. */
let turns = 0;

/** Starts a turn and returns its number. */
export const nextSessionEpoch = (): number => {
  turns += 1;
  return turns;
};

/** Returns the current turn. */
export const sessionEpoch = (): number => turns;

/** Records that the gateway rejected the session of a call, and shows the sign-in page unless another turn has begun since. */
export const sessionEnded = (turn: number): void => {
  // Several calls can report it one after the other.
  if (turn !== turns || sessionState.value.status === 'none') return;
  sessionState.value = { status: 'none', ended: sessionState.value.status === 'signed-in' };
};
