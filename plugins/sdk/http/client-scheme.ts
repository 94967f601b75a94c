import { headerValue, type RawHeaders } from './http.ts';

/** The scheme of the client's request: the gateway itself has no TLS, and a proxy before it says whether the client had. */
export const clientScheme = (headers: RawHeaders): 'http' | 'https' => {
  const forwarded = headerValue(headers, 'x-forwarded-proto');
  if (forwarded === undefined) return 'http';
  // Where there are several proxies, the first value is of the one that the client reached.
  const [first = ''] = forwarded.split(',', 1);
  return first.trim().toLowerCase() === 'https' ? 'https' : 'http';
};
