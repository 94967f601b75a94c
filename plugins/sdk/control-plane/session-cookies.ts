import type { sessionCookies } from '../../../schema/credentials/credential-headers.ts';

/** How a browser reaches the gateway where it may sign in. */
export type SessionPlace = keyof typeof sessionCookies;

/** The header that a page of another site cannot send without the gateway's consent. */
export const consoleHeader = 'x-gw-console';

/** A browser that calls a route which admits anyone. */
export interface BrowserCaller {
  /** Absent where a session's cookie could be read on its way. */
  readonly place?: SessionPlace;
  /** The token of its cookie, which may be nobody's; absent where it sends none, or several. */
  readonly session?: string;
}
