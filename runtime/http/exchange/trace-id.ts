import { hexIds } from '../../../plugins/sdk/logs/hex-ids.ts';
import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';

const longest = 256;

/** A new id for a request without one: 32 hexadecimal digits, like a W3C trace id. */
export const newTraceId: () => string = hexIds(16);

/** The caller's own id, cut to 256 characters; undefined if it is empty, or is a service key, which must be in no log. */
export const traceIdFrom = (text: string): string | undefined => {
  if (text === '' || withoutServiceKeys(text) !== text) return undefined;
  return text.length > longest ? text.slice(0, longest) : text;
};
