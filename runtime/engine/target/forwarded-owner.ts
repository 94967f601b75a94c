import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { credentialHeaders } from '../../../schema/credentials/credential-headers.ts';
import { isForeignKeyHeader } from '../../../schema/http/foreign-key-headers.ts';
import { headerText } from '../forwarded-headers/header-text.ts';
import type { PreparedTarget } from './prepared-target.ts';
import { toFingerprint } from './state-key.ts';

/** Checks whether a forwarded header, named in lower case, may contain a credential of the client. */
export const isClientCredential = (name: string): boolean =>
  credentialHeaders.has(name) || name === 'cookie' || isForeignKeyHeader(name);

/**
 * Returns the `circuitOwner` of a target for a request. If client credentials are forwarded, each credential has its own circuit,
 * so that one that the provider refuses does not open the circuit for others.
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
