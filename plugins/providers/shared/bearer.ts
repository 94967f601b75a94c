import type { RawHeaders } from '../../sdk/http/http.ts';
import type { Credential } from '../../sdk/provider/provider.ts';

/** The credential's `api_key` as a bearer token (RFC 6750); empty if there is none. */
export const bearer = ({ api_key: key }: Credential): RawHeaders =>
  key === undefined ? [] : ['Authorization', `Bearer ${key}`];
