import { headerValue, type RawHeaders } from '../../../../plugins/sdk/http/http.ts';
import type { Credential } from '../../../../plugins/sdk/provider/provider.ts';
import type { LeafCall } from '../../call/leaf-call.ts';

/** The bearer token of a request that its provider has signed; undefined if it has none. */
export const signedToken = (headers: RawHeaders): string | undefined =>
  /^bearer +(.+)$/i.exec(headerValue(headers, 'authorization') ?? '')?.[1];

/** The same object for as long as a token is sent, since who searches for its secrets remembers them by it. */
const joined = new WeakMap<Credential, { readonly token: string; readonly secrets: Credential }>();

/** All secrets that a call was sent with, of which no answer may say any: those of its target, and a token that was got for these. */
export const calledWith = ({ target: { secrets }, token }: Pick<LeafCall, 'target' | 'token'>): Credential => {
  if (token === undefined) return secrets;
  const known = joined.get(secrets);
  if (known?.token === token) return known.secrets;
  const made = { token, secrets: { ...secrets, 'the token': token } };
  joined.set(secrets, made);
  return made.secrets;
};
