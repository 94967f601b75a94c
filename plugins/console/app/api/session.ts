import { computed, signal } from '@preact/signals';

export interface Workspace {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** The answer of `/console/session`: who is signed in, and what the key may do. */
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

/** `unknown` until the gateway has been asked; `ended` if there was one, so that the page can say so. */
export type SessionState =
  | { readonly status: 'unknown' }
  | { readonly status: 'none'; readonly ended: boolean }
  | { readonly status: 'signed-in'; readonly session: Session };

export const sessionState = signal<SessionState>({ status: 'unknown' });

/** The slug of the workspace that is shown; empty for the one of the key, or all of an organisation. */
export const workspace = signal('');

export const session = computed(() =>
  sessionState.value.status === 'signed-in' ? sessionState.value.session : undefined,
);

/** Whether the session's key has all of these scopes. */
export const may = (...scopes: readonly string[]): boolean =>
  scopes.every((scope) => session.value?.scopes.includes(scope) ?? false);

/** Counts the refusals for want of a scope that the session seemed to have: the scopes of its key have changed meanwhile. */
export const scopeDoubts = signal(0);

/** How often somebody has signed in or out here, or was asked for: what an earlier question was answered no longer counts then. */
let turns = 0;

/** Begins a turn of the session. */
export const beginTurn = (): number => {
  turns += 1;
  return turns;
};

/** The turn in which a call is made. */
export const currentTurn = (): number => turns;

/** Notes that the gateway does not know the session of a call: the sign-in page is shown, unless another session has begun since. */
export const sessionEnded = (turn: number): void => {
  // Several calls hear of it, one after the other.
  if (turn !== turns || sessionState.value.status === 'none') return;
  sessionState.value = { status: 'none', ended: sessionState.value.status === 'signed-in' };
};
