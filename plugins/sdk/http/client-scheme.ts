import { headerValue, type RawHeaders } from './http.ts';

/**
 * Returns the scheme of the client's request. The gateway itself has no TLS; a proxy in front of it reports whether the client
 * used it.
 */
export const clientScheme = (headers: RawHeaders): 'http' | 'https' => {
  const forwarded = headerValue(headers, 'x-forwarded-proto');
  if (forwarded === undefined) return 'http';
  // If there are several proxies, the first value comes from the one that the client connected to.
  const [first = ''] = forwarded.split(',', 1);
  return first.trim().toLowerCase() === 'https' ? 'https' : 'http';
};
