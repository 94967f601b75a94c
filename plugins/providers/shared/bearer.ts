import type { RawHeaders } from '../../sdk/http/http.ts';
import type { Credential } from '../../sdk/provider/provider.ts';

/** Returns the credential's `api_key` as a bearer token (RFC 6750), or no header if there is none. */
export const bearer = ({ api_key: key }: Credential): RawHeaders =>
  key === undefined ? [] : ['Authorization', `Bearer ${key}`];
