import type { Dialect } from '../../plugins/sdk/dialect.ts';

/** Finds the strings of the members in which a dialect's frames have what the model says; undefined if it names none. */
export const spokenPattern = ({ streamUsage }: Dialect): RegExp | undefined =>
  streamUsage === undefined || streamUsage.spoken.length === 0
    ? undefined
    : new RegExp(`"(?:${streamUsage.spoken.join('|')})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`, 'g');

/** The length of what is said in the text of frames, which is not parsed for that. */
export const spokenBytes = (text: string, pattern: RegExp): number => {
  let length = 0;
  for (const [, said = ''] of text.matchAll(pattern)) length += said.length;
  return length;
};
