import { rootPointer, toOptionPath } from '../../../../schema/json/pointer.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { refusedDestination } from '../../../sdk/http/refused-destination.ts';

/** Whether a header names anything to forward, as a list or as JSON. */
const forwardsHeaders = (headers: RawHeaders): boolean =>
  /[^\s,[\]"]/.test(headerValue(headers, 'x-gw-forward-headers') ?? '');

/**
 * Jobs use what is saved, whose hosts are those of its record, and pass on neither header: a request that has one of them is
 * refused, rather than served elsewhere than it says. Throws the `GatewayError` `credential-origin-mismatch`.
 */
export const refuseDestination = (headers: RawHeaders, target: string): void => {
  const url = headerValue(headers, 'x-gw-custom-host') || undefined;
  if (url === undefined && !forwardsHeaders(headers)) return;
  throw refusedDestination({ target, path: toOptionPath(rootPointer) }, url);
};
