import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { credentialHeaders } from '../../../schema/credentials/credential-headers.ts';
import { isForeignKeyHeader } from '../../../schema/http/foreign-key-headers.ts';
import { headerText } from '../headers/header-text.ts';
import type { PreparedTarget } from './prepared-target.ts';
import { toFingerprint } from './state-key.ts';

/** Checks whether a header, named in lower case, may have a credential of the client where it is forwarded. */
export const isClientCredential = (name: string): boolean =>
  credentialHeaders.has(name) || name === 'cookie' || isForeignKeyHeader(name);

/**
 * The `circuitOwner` of a target for a request: where credentials of the client are forwarded, each has a circuit of its
 * own, so that one that the provider refuses closes nobody else's branch.
 */
export const forwardedOwner = (
  { circuitOwner, forward: { translated } }: Pick<PreparedTarget, 'circuitOwner' | 'forward'>,
  { request: { headers } }: Pick<Exchange, 'request'>,
): string => {
  if (translated.size === 0) return circuitOwner;
  const credentials: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headerText(headers, at).toLowerCase();
    if (translated.has(name) && isClientCredential(name)) credentials.push(name, headerText(headers, at + 1));
  }
  return credentials.length === 0 ? circuitOwner : toFingerprint({ owner: circuitOwner, credentials });
};
