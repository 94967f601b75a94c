import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { exactText } from '../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { readMembers, skipSpace } from '../../../schema/json/json-places.ts';

/**
 * Sets members of the JSON object in `bytes` without rewriting the rest: numbers keep their digits, strings their escapes, and
 * white space stays. Every occurrence of an existing member gets the new value, and new members are put first. `bytes` must be
 * valid JSON. The result parses to `{ ...JSON.parse(bytes), ...edits }`.
 */
export const spliceParams = (bytes: Uint8Array, edits: JsonObject): Buffer => {
  const text = toBuffer(bytes);
  const open = skipSpace(text, 0);
  const members = readMembers(text, open);
  const present = new Set(members.map(({ key }) => key));
  const added = Object.entries(edits)
    .filter(([key]) => !present.has(key))
    .map(([key, value]) => `${JSON.stringify(key)}:${exactText(value)}`)
    .join(',');
  const parts: Buffer[] = [text.subarray(0, open + 1)];
  if (added !== '') parts.push(Buffer.from(members.length > 0 ? `${added},` : added));
  let copied = open + 1;
  for (const { key, from, to } of members) {
    if (!Object.hasOwn(edits, key)) continue;
    parts.push(text.subarray(copied, from), Buffer.from(exactText(edits[key] ?? null)));
    copied = to;
  }
  parts.push(text.subarray(copied));
  return Buffer.concat(parts);
};
