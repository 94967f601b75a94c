import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { isGatewayHeader } from '../../engine/forwarded-headers/header-class.ts';
import type { CallerHeaders } from './caller-headers.ts';
import { knownHeaders } from './known-headers.ts';

const known = knownHeaders([]);

/** Reports a header with the gateway's prefix that it does not know, with the known one that was most likely meant. */
export const misspeltHeader = (
  headers: RawHeaders,
): { readonly written: string; readonly meant: string } | undefined => {
  for (let at = 0; at < headers.length; at += 2) {
    const written = (headers[at] ?? '').toLowerCase();
    if (!isGatewayHeader(written) || known.has(written)) continue;
    const meant = known.closest(written);
    if (meant !== undefined) return { written, meant };
  }
  return undefined;
};

/** The beginning of the message to a client whose headers are not read. */
export const portkeyUnread =
  'This gateway does not read x-portkey- headers: start it with gw serve --accept portkey, or with "accept": ["portkey"] in the gateway file';

/** Whether a client of Portkey sent its headers to a gateway that does not read them. */
export const hasUnreadHeaders = (headers: RawHeaders, { accepted }: Pick<CallerHeaders, 'accepted'>): boolean =>
  accepted === undefined && headers.some((text, at) => at % 2 === 0 && /^x-portkey-/i.test(text));
