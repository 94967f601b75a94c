import { rootPointer } from '../../../schema/json/pointer.ts';
import type { TextSpan } from '../dialect/dialect.ts';
import type { Replacement } from '../guardrail/guardrail.ts';

/** Splits a text that is written in several places into one piece for each. */
const toPieces = ({ further = [], ...span }: TextSpan): readonly TextSpan[] => {
  const places = [{ at: span.at, from: 0 }, ...further];
  return places.map(({ at, from }, index) => ({ ...span, at, text: span.text.slice(from, places[index + 1]?.from) }));
};

/** The pieces of one text, and the offsets at which they end. */
interface Pieces {
  readonly all: readonly TextSpan[];
  readonly ends: readonly number[];
}

const withEnds = (all: readonly TextSpan[]): Pieces => {
  let end = 0;
  const ends = all.map(({ text }) => {
    end += text.length;
    return end;
  });
  return { all, ends };
};

/** Returns the index of the first piece that extends to an offset, or of the last piece if none does. */
const firstPiece = ({ ends }: Pieces, place: number): number => {
  let [low, high] = [0, Math.max(0, ends.length - 1)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) >= place) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Splits a replacement among the pieces that it covers. The new text goes into the first of them. */
const inPieces = (replacement: Replacement, pieces: Pieces, first: number): readonly Replacement[] => {
  const { from, to, with: added } = replacement;
  const { all, ends } = pieces;
  const placed: Replacement[] = [];
  // A text may have as many pieces as replacements, so pieces before and after this replacement are not visited.
  for (let index = firstPiece(pieces, from); index < all.length; index += 1) {
    const start = ends[index - 1] ?? 0;
    const end = ends[index] ?? start;
    if (placed.length > 0 && start >= to) break;
    const isInserted = from === to && placed.length === 0 && from >= start && from <= end;
    // Offsets outside of the whole text are kept, so that they are reported as an error of the check.
    const own = {
      from: index === 0 ? from : Math.max(from, start) - start,
      to: (index === all.length - 1 ? to : Math.min(to, end)) - start,
    };
    if (isInserted || own.from < own.to)
      placed.push({ span: first + index, ...own, with: placed.length === 0 ? added : '' });
    if (isInserted) break;
  }
  return placed;
};

/** The pieces of a text that does not exist. */
const noPieces = withEnds([{ at: rootPointer, text: '', kind: 'other' }]);

interface Replaced {
  readonly spans: readonly TextSpan[];
  readonly replacements: readonly Replacement[];
}

/** Joins overlapping replacements into one that removes everything that either does. */
const united = (replacements: readonly Replacement[]): readonly Replacement[] => {
  const apart: Replacement[] = [];
  for (const next of replacements.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = apart.at(-1);
    const isSame = last?.from === next.from && last.to === next.to;
    if (last !== undefined && (isSame || next.from < last.to))
      apart[apart.length - 1] = { ...last, to: Math.max(last.to, next.to) };
    else apart.push(next);
  }
  return apart;
};

/** If a text is judged both alone and as part of a longer text, it is written once, with the replacements of both. */
const atOnce = ({ spans, replacements }: Replaced): Replaced => {
  const places = new Map<string, number>();
  const firstIndexes = spans.map(({ at, text, isName = false }, index) => {
    const place = at === rootPointer ? String(index) : JSON.stringify([at, text, isName]);
    const first = places.get(place) ?? index;
    places.set(place, first);
    return first;
  });
  const own = Map.groupBy(replacements, ({ span }) => firstIndexes[span] ?? span);
  const all = [...own].flatMap(([span, found]) => {
    const isOfOne = found.every((one) => one.span === found[0]?.span);
    const moved = found.map((one) => ({ ...one, span }));
    return isOfOne ? moved : united(moved);
  });
  return { spans, replacements: all };
};

/** Splits texts that are written in several places into one for each place, with their replacements. */
export const splitByPlace = (given: Replaced): Replaced => {
  if (given.spans.every(({ further }) => further === undefined)) return given;
  const spans: TextSpan[] = [];
  const first: number[] = [];
  const pieces = given.spans.map((span) => withEnds(toPieces(span)));
  for (const own of pieces) {
    first.push(spans.length);
    for (const piece of own.all) spans.push(piece);
  }
  const replacements = given.replacements.flatMap((one) =>
    inPieces(one, pieces[one.span] ?? noPieces, first[one.span] ?? spans.length),
  );
  return atOnce({ spans, replacements });
};
