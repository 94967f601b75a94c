import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isRefusedAddress } from './refused-address.ts';
import { trustOf } from './trust-of.ts';

/** A connection was asked for to an address that untrusted hosts must not lead to. */
export class AddressNotAllowed extends Error {
  readonly address: string;

  constructor(address: string) {
    super('The address is not one this gateway may call.');
    this.name = 'AddressNotAllowed';
    this.address = address;
  }
}

export interface EgressOptions {
  readonly trustedHosts: readonly string[];
  /** How names become addresses; the system's way where absent. */
  readonly lookup?: LookupFunction;
  /** Milliseconds until a connection must stand. */
  readonly connectMs: number;
}

/** Resolves, drops the addresses that are refused, and hands on the rest: what is checked is what is dialled. */
const checkedLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const allowed = addresses.filter(({ address }) => !isRefusedAddress(address));
      const first = allowed[0];
      if (first === undefined) return callback(new AddressNotAllowed(addresses[0]?.address ?? 'nowhere'), '', 0);
      if (options.all === true) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };

/**
 * The only way out: opens every connection to an upstream. Hosts that are not trusted are refused with
 * `AddressNotAllowed` when they are, or resolve to nothing but, addresses that are not public.
 */
export const createEgress = ({ trustedHosts, lookup, connectMs }: EgressOptions): buildConnector.connector => {
  const resolve: LookupFunction = lookup ?? systemLookup;
  const common = { allowH2: false, timeout: connectMs, keepAlive: true };
  const open = buildConnector({ ...common, lookup: resolve });
  const openChecked = buildConnector({ ...common, lookup: checkedLookup(resolve) });
  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(options.port);
    if (trustOf(trustedHosts, { hostname, port }) !== 'none') return open(options, callback);
    if (isIP(hostname) !== 0 && isRefusedAddress(hostname))
      return queueMicrotask(() => callback(new AddressNotAllowed(hostname), null));
    openChecked(options, callback);
  };
};
