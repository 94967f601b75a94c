import { isLoopback } from '../../schema/http/is-loopback.ts';

const loopback = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[([\da-f:.]+)\])(?::\d{1,5})?$/i;

/** The last host that was found to be loopback, because nearly all requests have the same. */
let lastLoopback: string | undefined;

/** `host` is a header's value. Other names are not loopback, whatever they resolve to. */
export const isLoopbackHost = (host: string): boolean => {
  if (host === lastLoopback) return true;
  const found = loopback.exec(host);
  if (found === null || (found[1] !== undefined && !isLoopback(found[1]))) return false;
  lastLoopback = host;
  return true;
};

const toHost = (origin: string): string => origin.replace(/^https?:\/\//i, '');

/** The origins whose pages may call models from a browser, if the gateway file lists any. */
export interface AllowedOrigins {
  isAllowed(origin: string): boolean;
  /** Whether an origin is listed by name, and not only as one of all. */
  isListed(origin: string): boolean;
}

/**
 * Finds a caller that a gateway without service keys must refuse: its `Host` is not a loopback name (DNS rebinding), or its
 * `Origin` is another web site that is not listed. Returns the text for the refusal.
 */
export const foreignCaller = (
  host: string | undefined,
  origin: string | undefined,
  listed?: Pick<AllowedOrigins, 'isListed'>,
): string | undefined => {
  if (host !== undefined && !isLoopbackHost(host)) return `the host ${host}`;
  if (origin !== undefined && !isLoopbackHost(toHost(origin)) && listed?.isListed(origin) !== true)
    return `the origin ${origin}`;
  return undefined;
};
