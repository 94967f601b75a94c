import { headerValue, type RawHeaders } from './http.ts';

/** The scheme of the client's request: the gateway itself has no TLS, and a proxy before it says whether the client had. */
export const clientScheme = (headers: RawHeaders): 'http' | 'https' => {
  const [first = ''] = (headerValue(headers, 'x-forwarded-proto') ?? '').split(',', 1);
  return first.trim().toLowerCase() === 'https' ? 'https' : 'http';
};
