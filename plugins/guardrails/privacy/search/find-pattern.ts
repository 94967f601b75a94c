import type { Detector } from './finding.ts';

/** The characters that may follow or surround a match, as its place in the text. */
export interface Place {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Pattern {
  readonly kind: string;
  /** Its repetitions are bounded, so that a search costs at most a fixed number of steps for each character. */
  readonly pattern: RegExp;
  /** Whether a match is what it looks like. */
  accepts?(match: string, place: Place): boolean;
}

/** Finds the matches of a pattern that are accepted. One that is not may hide another that begins within it. */
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
