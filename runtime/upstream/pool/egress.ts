import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector as UndiciConnector } from 'undici';
import { isTrusted } from '../../../schema/http/is-trusted.ts';
import { AddressNotAllowed, checkedLookup } from '../addresses/checked-lookup.ts';
import { isRefusedAddress } from '../addresses/refused-address.ts';
import { buildConnector } from './undici-parts.ts';

export interface EgressOptions {
  readonly trustedHosts: readonly string[];
  /** Resolves names; the system's resolver if absent. */
  readonly lookup?: LookupFunction;
  /** The time-out for connecting, in milliseconds. */
  readonly connectMs: number;
}

/**
 * Opens every connection to an upstream; nothing else does. A host that is not trusted gets `AddressNotAllowed` if it is,
 * or resolves only to, addresses that are not public.
 */
export const createEgress = ({ trustedHosts, lookup, connectMs }: EgressOptions): UndiciConnector.connector => {
  const resolve: LookupFunction = lookup ?? systemLookup;
  const common = { allowH2: false, timeout: connectMs, keepAlive: true };
  const open = buildConnector({ ...common, lookup: resolve });
  const openChecked = buildConnector({ ...common, lookup: checkedLookup(resolve) });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(options.port);
    if (isTrusted(trustedHosts, { hostname, port })) open(options, callback);
    // An address literal is not resolved.
    else if (isIP(hostname) !== 0 && isRefusedAddress(hostname))
      queueMicrotask(() => callback(new AddressNotAllowed(hostname), null));
    else openChecked(options, callback);
  };
};
