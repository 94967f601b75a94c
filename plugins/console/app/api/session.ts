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
  /** Whether there are workspaces that are not listed. */
  readonly more_workspaces: boolean;
  /** Unix time in seconds. */
  readonly expires_at?: number;
}

/**
 * `unknown` until the gateway has responded. A session that the gateway has ended is kept as `ended`: the page stays as it is, with
 * all that is typed in it, until somebody signs in again.
 */
export type SessionState =
  | { readonly status: 'unknown' }
  | { readonly status: 'none' }
  | { readonly status: 'signed-in'; readonly session: Session }
  | { readonly status: 'ended'; readonly session: Session };

export const sessionState = signal<SessionState>({ status: 'unknown' });

/** The slug of the selected workspace. Empty for the workspace of the key, or for all workspaces of an organisation. */
export const workspace = signal('');

export const session = computed(() => ('session' in sessionState.value ? sessionState.value.session : undefined));

/** Whether the session's key has all of these scopes. */
export const may = (...scopes: readonly string[]): boolean =>
  scopes.every((scope) => session.value?.scopes.includes(scope) ?? false);

/**
 * Whether the session's key may edit the records of a resource, such as `keys`. Only a record that was read has a tag, without
 * which a change would overwrite what others have saved in the meantime.
 */
export const mayEdit = (resource: string): boolean => may(`${resource}.update`, `${resource}.read`);

/** Counts refused calls. Each one may mean that the session has ended, or that the scopes of its key have changed. */
export const refusalCount = signal(0);

/** Counts sign-ins, sign-outs and reads of the session. A response from an earlier turn is ignored. */
let turns = 0;

/** Starts a turn and returns its number. */
export const nextSessionEpoch = (): number => {
  turns += 1;
  return turns;
};

/** Returns the current turn. */
export const sessionEpoch = (): number => turns;

/** Returns the state after the gateway has ended the session of a state. */
export const endedState = (before: SessionState): SessionState =>
  'session' in before ? { status: 'ended', session: before.session } : { status: 'none' };

/** Records that the gateway rejected the session of a call, and asks for a key unless another turn has begun since. */
export const sessionEnded = (turn: number): void => {
  const before = sessionState.peek();
  // Several calls can report it one after the other.
  if (turn === turns && before.status !== 'ended') sessionState.value = endedState(before);
};

/** Resolves once somebody is signed in, immediately if somebody is. Rejects if the signal aborts first. */
export const untilSignedIn = (signal: AbortSignal): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => reject(signal.reason);
  const stop = sessionState.subscribe(({ status }) => {
    if (status === 'signed-in') resolve();
  });
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return promise.finally(() => {
    stop();
    signal.removeEventListener('abort', abort);
  });
};
