import type { Replacement, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { SpanPiece } from '../pieces/span-pieces.ts';
import { toCounts } from './found-verdict.ts';
import { occurrences } from './occurrences.ts';
import { piiVerdict } from './pii-verdict.ts';

/** Something found in a text, as a service that does not say what it counts reports it. */
interface Located {
  readonly start: number;
  /** The text that was found there. */
  readonly snippet: string;
}

/** The UTF-16 unit at which a code point begins. */
export const toUnit = (text: string, point: number): number => {
  let unit = 0;
  for (let count = 0; count < point && unit < text.length; count += 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
};

/**
 * Where something that was found begins, in UTF-16 units. The service may have counted units or code points: the place at
 * which the text is what was found is the right one. If neither is, as one that is negative, every occurrence is; nowhere is an empty list.
 */
export const locate = (text: string, { start, snippet }: Located): readonly number[] => {
  const starts = Number.isSafeInteger(start) && start >= 0 ? [start, toUnit(text, start)] : [];
  const place = starts.find((at) => snippet !== '' && text.startsWith(snippet, at));
  return place === undefined ? occurrences(text, snippet) : [place];
};

/** Personal data that a service found in a part of a text: its kind, and where it begins in that part. */
export interface Entity {
  readonly kind: string;
  readonly start: number;
  /** The text that was found. */
  readonly snippet: string;
}

/** The same with its places in the judged pieces; none of a text that does not occur in them. */
export interface PlacedEntity {
  readonly kind: string;
  readonly places: readonly Replacement[];
}

/** Finds an entity in the part that was sent. */
export const placeEntity = ({ kind, start, snippet }: Entity, { span, from, text }: SpanPiece): PlacedEntity => ({
  kind,
  places: locate(text, { start, snippet }).map((at) => ({
    span,
    from: from + at,
    to: from + at + snippet.length,
    with: `[${kind.toUpperCase()}]`,
  })),
});

/** Parts of a text overlap: what is found at one place in two of them is one entity. */
const distinct = (entities: readonly PlacedEntity[]): readonly PlacedEntity[] => {
  const known = new Set<string>();
  return entities.filter(({ places }) => {
    const [first, ...more] = places;
    if (first === undefined || more.length > 0) return true;
    const place = JSON.stringify(first);
    const isNew = !known.has(place);
    known.add(place);
    return isNew;
  });
};

/** Entities fail, unless they are replaced by their kinds. Throws an `Error` for one that would be, and is nowhere. */
export const entitiesVerdict = (vendor: string, entities: readonly PlacedEntity[], redact: boolean): Verdict => {
  if (redact && entities.some(({ places }) => places.length === 0))
    throw new Error(`${vendor} answered with status 200, but found a text that does not occur in what it was sent.`);
  const all = distinct(entities);
  return piiVerdict({
    vendor,
    counts: toCounts(all.map(({ kind }) => kind)),
    redact,
    found: all.flatMap(({ places }) => places),
  });
};
