import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { LedgerEntry } from '../ledger/posting.ts';

/** The maximum length of a label, and of its name, in characters. Callers choose both. */
const longestText = 200;
const shownOfLong = 100;

/** The maximum length of all labels of a request with their names, in characters. Labels after that are omitted. */
const maxText = 4000;

/** Returns a new text, because a slice of a text retains all of it in memory. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

const kept = (text: string): string =>
  text.length <= longestText
    ? text
    : `${copied(text.slice(0, shownOfLong))}…sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Whether metadata contains only labels that are stored unchanged. */
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
 * Returns metadata as the ledger stores it. Values that are not labels are omitted. A text of more than 200 characters ends with
 * its hash instead, and labels are kept up to 4,000 characters in total, because callers choose what a ledger has to cache and
 * store.
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
