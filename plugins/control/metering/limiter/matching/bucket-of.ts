import { createHash } from 'node:crypto';
import { storedText } from '../../../kernel/store/rows/storable.ts';
import { type FactReader, factReader } from './fact-reader.ts';
import type { LimitFacts } from './limit-facts.ts';

/** Characters of a bucket's name; callers choose what is in it. */
const longestBucket = 300;
const shownOfLong = 200;

const escaped = (text: string): string =>
  text.includes(',') || text.includes('\\') ? text.replace(/[\\,]/g, '\\$&') : text;

const shortened = (bucket: string): string =>
  bucket.length <= longestBucket
    ? bucket
    : `${storedText(bucket.slice(0, shownOfLong))}…sha256:${createHash('sha256').update(bucket).digest('hex')}`;

/**
 * Names the counter of a policy that a request belongs to, by the values that the policy groups by: `metadata._user:alice`,
 * joined by commas, with a backslash before each comma and backslash of a part. Empty for a policy without groups; undefined
 * for a request that lacks one of the values. It is a text as the store keeps it, so that a counter has the same name in the
 * ledger. A name of more than 300 characters ends with its hash instead.
 */
export const bucketReader = (groupBy: readonly string[]): ((facts: LimitFacts) => string | undefined) => {
  const parts = groupBy.map((key): { readonly key: string; readonly read: FactReader } => ({
    key: escaped(key),
    read: factReader(key),
  }));
  return (facts) => {
    let bucket = '';
    for (const { key, read } of parts) {
      const [value] = read(facts);
      if (value === undefined) return undefined;
      bucket += `${bucket === '' ? '' : ','}${key}:${escaped(value)}`;
    }
    return shortened(storedText(bucket));
  };
};
