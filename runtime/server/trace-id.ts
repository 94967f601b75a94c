import { randomFillSync } from 'node:crypto';
import { withoutServiceKeys } from '../../schema/without-service-keys.ts';

const longest = 256;

const idBytes = 16;

/** Random bytes for many ids: drawing them one id at a time takes ten times as long. */
const pool: Buffer = Buffer.allocUnsafe(idBytes * 256);
let used = pool.length;

/** A new id for a request without one: 32 hexadecimal digits, like a W3C trace id. */
export const newTraceId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString('hex', used - idBytes, used);
};

/** The caller's own id, cut to 256 characters; undefined if it is empty, or is a service key, which must be in no log. */
export const traceIdFrom = (text: string): string | undefined => {
  if (text === '' || withoutServiceKeys(text) !== text) return undefined;
  return text.length > longest ? text.slice(0, longest) : text;
};

/** The 32 digits of a W3C `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header). */
export const traceIdFromParent = (text: string): string | undefined =>
  /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(text)?.[1];
