import { rootPointer } from '../../schema/pointer.ts';
import type { TextSpan } from './dialect.ts';
import type { Replacement } from './guardrail.ts';

/** The pieces of a text that is written in several places, each at its own. */
const piecesOf = ({ further = [], ...span }: TextSpan): readonly TextSpan[] => {
  const places = [{ at: span.at, from: 0 }, ...further];
  return places.map(({ at, from }, index) => ({ ...span, at, text: span.text.slice(from, places[index + 1]?.from) }));
};

/** A replacement as those of the pieces that it reaches into; its new text stands in the first of them. */
const inPieces = (replacement: Replacement, pieces: readonly TextSpan[], first: number): readonly Replacement[] => {
  const { from, to, with: added } = replacement;
  const placed: Replacement[] = [];
  let start = 0;
  for (const [index, { text }] of pieces.entries()) {
    const end = start + text.length;
    const isInserted = from === to && placed.length === 0 && from >= start && from <= end;
    // What lies outside of the whole text stays there, as a fault of the check.
    const own = {
      from: index === 0 ? from : Math.max(from, start) - start,
      to: (index === pieces.length - 1 ? to : Math.min(to, end)) - start,
    };
    if (isInserted || own.from < own.to)
      placed.push({ span: first + index, ...own, with: placed.length === 0 ? added : '' });
    start = end;
  }
  return placed;
};

/** In place of a piece that there is not. */
const noPiece: TextSpan = { at: rootPointer, text: '', kind: 'other' };

interface Replaced {
  readonly spans: readonly TextSpan[];
  readonly replacements: readonly Replacement[];
}

/** Texts that are written in several places as one for each place, with their replacements. */
export const inPlaces = (given: Replaced): Replaced => {
  if (given.spans.every(({ further }) => further === undefined)) return given;
  const spans: TextSpan[] = [];
  const first: number[] = [];
  const pieces = given.spans.map(piecesOf);
  for (const own of pieces) {
    first.push(spans.length);
    spans.push(...own);
  }
  const replacements = given.replacements.flatMap((one) =>
    inPieces(one, pieces[one.span] ?? [noPiece], first[one.span] ?? spans.length),
  );
  return { spans, replacements };
};
