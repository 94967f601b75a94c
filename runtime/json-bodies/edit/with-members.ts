import type { BytesBody } from '../../../plugins/sdk/http/http.ts';
import { exactText } from '../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { keepSources } from '../../../schema/json/number-sources.ts';
import { spliceParams } from './splice-params.ts';

/**
 * Returns the bytes of the JSON object `before`, changed to `after`: the members that differ are spliced in, and all others stay
 * as they were written. Removed members cannot be spliced out, so in that case the whole body is rewritten.
 */
export const withMembers = (bytes: Uint8Array, before: JsonObject, after: JsonObject): BytesBody => {
  if (Object.keys(before).some((name) => !Object.hasOwn(after, name)))
    return { kind: 'bytes', bytes: Buffer.from(exactText(keepSources(after, before))) };
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== before[name] || !Object.hasOwn(before, name),
  );
  return { kind: 'bytes', bytes: changed.length === 0 ? bytes : spliceParams(bytes, Object.fromEntries(changed)) };
};
