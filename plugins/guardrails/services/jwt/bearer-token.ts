import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';

/** Returns the token in a header, whose name may be in any case. `Bearer` before it is optional. */
export const bearerToken = (headers: RawHeaders, name: string): string | undefined => {
  const value = headerValue(headers, name.toLowerCase())?.trim() ?? '';
  const token = value.replace(/^bearer\s+/i, '');
  return token === '' ? undefined : token;
};
