import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { stringEnd } from '../../schema/json/string-end.ts';

const patterns = new WeakMap<Dialect, RegExp>();

/** Finds where the strings begin in which a dialect's frames have what the model says; undefined if it names none. */
export const spokenPattern = (dialect: Dialect): RegExp | undefined => {
  const { spoken = [] } = dialect.streamUsage ?? {};
  if (spoken.length === 0) return undefined;
  const known = patterns.get(dialect);
  if (known !== undefined) return known;
  const made = new RegExp(`"(?:${spoken.join('|')})"\\s*:\\s*"`, 'g');
  patterns.set(dialect, made);
  return made;
};

/** The length of what is said in the text of frames, which is not parsed for that. */
export const spokenBytes = (text: string, pattern: RegExp): number => {
  let length = 0;
  pattern.lastIndex = 0;
  // Each chunk is searched: `test` makes no list of what it finds.
  while (pattern.test(text)) {
    const from = pattern.lastIndex;
    pattern.lastIndex = stringEnd(text, from - 1);
    length += pattern.lastIndex - from;
  }
  return length;
};
