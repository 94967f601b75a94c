import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { stringEnd } from '../../schema/json/string-end.ts';

const patterns = new WeakMap<Dialect, RegExp>();

/**
 * Returns a pattern for the beginnings of the strings with the model's text in a dialect's frames. Undefined if the dialect names
 * none.
 */
export const spokenPattern = (dialect: Dialect): RegExp | undefined => {
  const { spoken = [] } = dialect.streamUsage ?? {};
  if (spoken.length === 0) return undefined;
  const known = patterns.get(dialect);
  if (known !== undefined) return known;
  const made = new RegExp(`"(?:${spoken.join('|')})"\\s*:\\s*"`, 'g');
  patterns.set(dialect, made);
  return made;
};

/** Returns the length of the model's text in frames, without parsing them. */
export const spokenBytes = (text: string, pattern: RegExp): number => {
  let length = 0;
  pattern.lastIndex = 0;
  // `test` is used on each chunk, because it does not create a list of matches.
  while (pattern.test(text)) {
    const from = pattern.lastIndex;
    pattern.lastIndex = stringEnd(text, from - 1);
    length += pattern.lastIndex - from;
  }
  return length;
};
