import { hexIds } from '../../../plugins/sdk/logs/hex-ids.ts';
import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import { holdsText } from '../../route-matching/without-text.ts';

const longest = 256;

/** Returns a new id for a request without one: 32 hexadecimal digits, like a W3C trace id. */
export const newTraceId: () => string = hexIds(16);

/** The credentials of a request, which must not appear in any log. */
type Credentials = readonly (string | undefined)[];

const none: Credentials = [];

/**
 * Returns the caller's own id, cut to 256 characters. Undefined if it is empty, or contains a service key or a credential of the
 * same request.
 */
export const traceIdFrom = (text: string, credentials: Credentials = none): string | undefined => {
  if (text === '' || withoutServiceKeys(text) !== text) return undefined;
  if (credentials.some((credential) => credential !== undefined && holdsText(text, credential))) return undefined;
  return text.length > longest ? text.slice(0, longest) : text;
};
