import { gatewayError } from '../../../schema/errors.ts';
import { rootPointer, toOptionPath } from '../../../schema/pointer.ts';
import { headerValue, type RawHeaders } from '../../sdk/http.ts';

/** Only the host of a caller's URL is shown: the rest may contain a secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'a host');

/** Where the headers of a request want it sent, or what beside it. */
const destinationIn = (headers: RawHeaders): string | undefined => {
  const host = headerValue(headers, 'x-gw-custom-host');
  if (host !== undefined && host !== '') return hostOf(host);
  const forwarded = headerValue(headers, 'x-gw-forward-headers') ?? '';
  return /[^\s,[\]"]/.test(forwarded) ? 'a provider together with x-gw-forward-headers' : undefined;
};

/**
 * Jobs use what is saved, whose hosts are those of its record, and pass on neither header: a request that has one of them is
 * refused, rather than served elsewhere than it says. Throws the `GatewayError` `credential-origin-mismatch`.
 */
export const refuseDestination = (headers: RawHeaders, target: string): void => {
  const host = destinationIn(headers);
  if (host === undefined) return;
  const path = toOptionPath(rootPointer);
  throw gatewayError('credential-origin-mismatch', { target, path, host, chooser: 'the request' });
};
