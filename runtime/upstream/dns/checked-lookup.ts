import { isIP, type LookupFunction } from 'node:net';
import { isRefusedAddress } from './refused-address.ts';

/** Thrown if an untrusted host resolved to an address that it must not resolve to. */
export class AddressNotAllowed extends Error {
  readonly address: string;

  constructor(address: string) {
    super('This gateway may not call the address.');
    this.name = 'AddressNotAllowed';
    this.address = address;
  }
}

/** Thrown if an untrusted name of a private network does not resolve. It would have to be listed, too. */
export class UnlistedNotFound extends Error {
  readonly code = 'ENOTFOUND';

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'UnlistedNotFound';
  }
}

const privateEndings: ReadonlySet<string> = new Set([
  ...['corp', 'docker', 'example', 'home', 'internal', 'intranet', 'invalid', 'lan', 'local', 'localdomain'],
  ...['localhost', 'private', 'svc', 'test'],
]);

/** Whether no public server has the name: it is a single label, or ends like those of private networks. */
export const isPrivateName = (hostname: string): boolean => {
  const labels = hostname.split('.').filter((label) => label !== '');
  return labels.length < 2 || privateEndings.has(labels.at(-1)?.toLowerCase() ?? '');
};

/**
 * Resolves a name and drops the refused addresses, so that only checked addresses are connected to. If none is left, the error is
 * `AddressNotAllowed` with the first of them, or `UnlistedNotFound` if there is no such name in a private network.
 */
export const checkedLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error.code === 'ENOTFOUND' && isPrivateName(hostname) ? new UnlistedNotFound(error) : error, '', 0);
        return;
      }
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const allowed = addresses.filter(({ address }) => !isRefusedAddress(address));
      const [first] = allowed;
      if (first === undefined) callback(new AddressNotAllowed(addresses[0]?.address ?? 'no address'), '', 0);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
