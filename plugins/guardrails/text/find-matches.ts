import type { TextFinder, TextMatch } from '../../../schema/text/regex.ts';
import type { TextSpan } from '../../sdk/dialect/dialect.ts';

/** A match, and the index of the piece that it is in. */
export interface SpanMatch extends TextMatch {
  readonly span: number;
}

/**
 * The maximum number of characters that searches for a pattern without a bounded reach may read. Each may read to the end of the
 * text, at about 50 ns per character.
 */
const maxRead = 16 * 1024 * 1024;

/** Where a pattern matches in the pieces of a text, at most once at each place. */
export interface Found {
  readonly matches: readonly SpanMatch[];
  /** Whether the search became too expensive, or found too much. Matches then extend to the ends of their pieces. */
  readonly cutShort: boolean;
}

/** Finds all matches that are not empty. Beyond `max`, or if the search is too expensive, the rest counts as one match. */
export const findMatches = (
  spans: readonly Pick<TextSpan, 'text'>[],
  { find, reach }: TextFinder,
  max: number,
): Found => {
  const matches: SpanMatch[] = [];
  let left = maxRead;
  let cutShort = false;
  for (const [span, { text }] of spans.entries()) {
    for (let at = 0; at < text.length; ) {
      left -= reach === undefined ? text.length - at : 0;
      if (left < 0) {
        matches.push({ span, from: at, to: text.length });
        cutShort = true;
        break;
      }
      const match = find(text, at);
      if (match === undefined) break;
      const isEmpty = match.to === match.from;
      if (!isEmpty && matches.length >= max) {
        matches.push({ span, from: match.from, to: text.length });
        cutShort = true;
        break;
      }
      if (!isEmpty) matches.push({ span, ...match });
      at = Math.max(match.to, match.from + 1);
    }
  }
  return { matches, cutShort };
};

/** Finds the first match that is not empty. */
export const findFirstMatch = (
  spans: readonly Pick<TextSpan, 'text'>[],
  { find }: TextFinder,
): SpanMatch | undefined => {
  for (const [span, { text }] of spans.entries()) {
    const match = find(text, 0);
    if (match !== undefined && match.to > match.from) return { span, ...match };
  }
  return undefined;
};
