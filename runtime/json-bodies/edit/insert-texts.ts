import type { TextInsertion } from '../../../plugins/sdk/dialect/cache-hints.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { findPlace } from '../../../schema/json/json-places.ts';

interface Inserted {
  readonly at: number;
  readonly text: string;
}

const findOffset = (text: Buffer, { at, where }: TextInsertion): number | undefined => {
  const place = findPlace(text, at);
  if (place === undefined) return undefined;
  if (where === 'before') return place.from;
  return where === 'after' ? place.to : place.to - 1;
};

/** Returns the JSON in `bytes` with texts inserted; all other bytes stay. A text whose place does not exist is omitted. */
export const insertTexts = (bytes: Uint8Array, insertions: readonly TextInsertion[]): Buffer => {
  const text = toBuffer(bytes);
  const inserted: Inserted[] = [];
  for (const insertion of insertions) {
    const at = findOffset(text, insertion);
    if (at !== undefined) inserted.push({ at, text: insertion.text });
  }
  inserted.sort((left, right) => left.at - right.at);
  const parts: Buffer[] = [];
  let copied = 0;
  for (const { at, text: added } of inserted) {
    parts.push(text.subarray(copied, at), Buffer.from(added));
    copied = at;
  }
  return Buffer.concat([...parts, text.subarray(copied)]);
};
