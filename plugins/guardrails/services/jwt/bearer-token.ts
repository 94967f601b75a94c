import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';

/** The token in a header, whose name may be spelt in any case; `Bearer` before it may be left out. */
export const bearerToken = (headers: RawHeaders, name: string): string | undefined => {
  const value = headerValue(headers, name.toLowerCase())?.trim() ?? '';
  const token = value.replace(/^bearer\s+/i, '');
  return token === '' ? undefined : token;
};
