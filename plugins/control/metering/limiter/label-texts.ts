import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { LedgerEntry } from '../ledger/posting.ts';

/** Characters of a label, and of its name: callers choose both. */
const longestText = 200;
const shownOfLong = 100;

/** Characters of all labels of a request with their names. Those after them are not kept. */
const maxText = 4000;

/** A new text, since a part of a text keeps the whole of it in memory. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

const kept = (text: string): string =>
  text.length <= longestText
    ? text
    : `${copied(text.slice(0, shownOfLong))}…sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Whether metadata has labels alone that are kept as they are. */
const areKept = (metadata: JsonObject): metadata is LedgerEntry['metadata'] => {
  let length = 0;
  for (const name in metadata) {
    const value = metadata[name];
    if (typeof value !== 'string' || value.length > longestText || name.length > longestText) return false;
    length += name.length + value.length;
  }
  return length <= maxText;
};

const isLabel = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * Metadata as the ledger has it: what is no label is left out. A text of more than 200 characters ends with its hash instead, and
 * labels are kept up to 4,000 characters in all: a ledger remembers and stores what callers choose.
 */
export const labelTexts = (metadata: JsonObject): LedgerEntry['metadata'] => {
  if (areKept(metadata)) return metadata;
  const labels: (readonly [string, string])[] = [];
  let left = maxText;
  for (const [name, value] of Object.entries(metadata)) {
    if (!isLabel(value)) continue;
    const label = [kept(name), kept(String(value))] as const;
    left -= label[0].length + label[1].length;
    if (left < 0) break;
    labels.push(label);
  }
  return Object.fromEntries(labels);
};
