const loopback = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** `host` is a header's value. Names that a resolver could lead anywhere are not loopback, whatever they resolve to. */
const isLoopbackHost = (host: string): boolean => loopback.test(host);

const hostOf = (origin: string): string => origin.replace(/^https?:\/\//i, '');

/**
 * Who calls a gateway that has no service keys and should not: a name other than loopback's in `Host` (DNS rebinding),
 * or a web page of another site in `Origin`. Gives what to name in the refusal.
 */
export const foreignCaller = (host: string | undefined, origin: string | undefined): string | undefined => {
  if (host !== undefined && !isLoopbackHost(host)) return `the host ${host}`;
  if (origin !== undefined && !isLoopbackHost(hostOf(origin))) return `the origin ${origin}`;
  return undefined;
};
