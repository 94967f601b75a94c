/** The cookie that has the token of a console's session: over TLS, and on loopback, where browsers keep no other. */
export const sessionCookies = { tls: '__Host-gw', loopback: 'gw-console' } as const;

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
