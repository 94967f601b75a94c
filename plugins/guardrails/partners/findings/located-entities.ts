import type { Replacement, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { SpanPiece } from '../pieces/span-pieces.ts';
import { toCounts } from './found-verdict.ts';
import { occurrences } from './occurrences.ts';
import { piiVerdict } from './pii-verdict.ts';

/** Something found in a text, as reported by a service that does not specify its unit of offsets. */
interface Located {
  readonly start: number;
  /** The text that was found there. */
  readonly snippet: string;
}

/** Returns the UTF-16 offset at which a code point starts. */
export const toUnit = (text: string, point: number): number => {
  let unit = 0;
  for (let count = 0; count < point && unit < text.length; count += 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
};

/**
 * Returns where a finding starts, in UTF-16 units. The service may have counted units or code points, so the offset at which the
 * text matches the finding is used. If neither matches, for example because the offset is negative, all occurrences are returned;
 * the list is empty if there are none.
 */
export const locate = (text: string, { start, snippet }: Located): readonly number[] => {
  const starts = Number.isSafeInteger(start) && start >= 0 ? [start, toUnit(text, start)] : [];
  const place = starts.find((at) => snippet !== '' && text.startsWith(snippet, at));
  return place === undefined ? occurrences(text, snippet) : [place];
};

/** Personal data that a service found in a part of a text: its kind, and where it starts in that part. */
export interface Entity {
  readonly kind: string;
  readonly start: number;
  /** The text that was found. */
  readonly snippet: string;
}

/** The same, with its places in the judged pieces. Empty if the text does not occur in them. */
export interface PlacedEntity {
  readonly kind: string;
  readonly places: readonly Replacement[];
}

/** Places an entity that was found in a part of a text. */
export const placeEntity = ({ kind, start, snippet }: Entity, { span, from, text }: SpanPiece): PlacedEntity => ({
  kind,
  places: locate(text, { start, snippet }).map((at) => ({
    span,
    from: from + at,
    to: from + at + snippet.length,
    with: `[${kind.toUpperCase()}]`,
  })),
});

/** Parts of a text overlap. The same finding at the same place in two of them is one entity. */
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

/**
 * Fails if there are entities, unless they are replaced by their kinds. Throws an `Error` if an entity that should be replaced
 * cannot be located.
 */
export const entitiesVerdict = (vendor: string, entities: readonly PlacedEntity[], redact: boolean): Verdict => {
  if (redact && entities.some(({ places }) => places.length === 0))
    throw new Error(
      `${vendor} answered with status 200, but reports a text that does not occur in the text that was sent to it.`,
    );
  const all = distinct(entities);
  return piiVerdict({
    vendor,
    counts: toCounts(all.map(({ kind }) => kind)),
    redact,
    found: all.flatMap(({ places }) => places),
  });
};
