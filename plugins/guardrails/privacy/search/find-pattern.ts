import type { Detector } from './finding.ts';

/** The place of a match in a text, to examine the characters around it. */
export interface Place {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Pattern {
  readonly kind: string;
  /** Its repetitions must be bounded, so that a search takes at most a fixed number of steps per character. */
  readonly pattern: RegExp;
  /** Whether a match is really what it looks like. */
  accepts?(match: string, place: Place): boolean;
}

/** Finds the accepted matches of a pattern. A rejected match may hide another that starts within it. */
export const findPattern = ({ kind, pattern, accepts = () => true }: Pattern): Detector => {
  const search = new RegExp(pattern, `${pattern.flags.replace('g', '')}g`);
  return (text) => {
    const found = [];
    search.lastIndex = 0;
    for (let match = search.exec(text); match !== null; match = search.exec(text)) {
      const from = match.index;
      const to = from + match[0].length;
      if (accepts(match[0], { text, from, to })) found.push({ kind, from, to });
      else search.lastIndex = from + 1;
    }
    return found;
  };
};
