import type { sessionCookies } from '../../../schema/credentials/credential-headers.ts';

/** How a browser connects to the gateway, if it may sign in. */
export type SessionPlace = keyof typeof sessionCookies;

/** A header that a page of another site cannot send without the gateway's consent. */
export const consoleHeader = 'x-gw-console';

/** A browser that calls a route which admits anyone. */
export interface BrowserCaller {
  /** Absent if the session's cookie could be read in transit. */
  readonly place?: SessionPlace;
  /** The token in the cookie, which may be invalid. Absent if there is no such cookie, or several. */
  readonly session?: string;
}
