/** The parts of a text that commas separate; a character behind a backslash is meant as it is. */
const parts = (bucket: string): readonly string[] => {
  const found: string[] = [];
  let part = '';
  for (let at = 0; at < bucket.length; at += 1) {
    const char = bucket[at] ?? '';
    if (char === ',') {
      found.push(part);
      part = '';
    } else if (char === '\\') {
      at += 1;
      part += bucket[at] ?? '';
    } else part += char;
  }
  return [...found, part];
};

/**
 * The values that a bucket is named by, in the order of `group_by`; undefined for a name that was too long, and for the bucket
 * that others share.
 */
export const bucketValues = (bucket: string, groupBy: readonly string[]): readonly string[] | undefined => {
  if (groupBy.length === 0) return bucket === '' ? [] : undefined;
  const found = parts(bucket);
  if (found.length !== groupBy.length || /…sha256:[0-9a-f]{64}$/.test(bucket)) return undefined;
  const values = found.flatMap((part, at) => {
    const prefix = `${groupBy[at]}:`;
    return part.startsWith(prefix) ? [part.slice(prefix.length)] : [];
  });
  return values.length === groupBy.length ? values : undefined;
};
