import type { Replacement, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { SpanPiece } from '../pieces/span-pieces.ts';
import { countsOf } from './found-verdict.ts';
import { locate } from './located.ts';
import { piiVerdict } from './pii-verdict.ts';

/** Personal data that a service found in a part of a text: its kind, and where it begins in that part. */
export interface Entity {
  readonly kind: string;
  readonly start: number;
  /** What was found. */
  readonly snippet: string;
}

/** The same with its places in the judged pieces. */
export interface PlacedEntity {
  readonly kind: string;
  readonly places: readonly Replacement[];
}

/** Finds an entity in the part that was sent. Throws an `Error` if it is not there, since it could not be replaced. */
export const placeEntity = (
  vendor: string,
  { kind, start, snippet }: Entity,
  { span, from, text }: SpanPiece,
): PlacedEntity => {
  const places = locate(text, { start, snippet }).map((at) => ({
    span,
    from: from + at,
    to: from + at + snippet.length,
    with: `[${kind.toUpperCase()}]`,
  }));
  if (places.length === 0)
    throw new Error(`${vendor} answered with status 200, but found a text that does not occur in what it was sent.`);
  return { kind, places };
};

/** Entities fail, unless they are replaced by their kinds. */
export const entitiesVerdict = (vendor: string, entities: readonly PlacedEntity[], redact: boolean): Verdict =>
  piiVerdict({
    vendor,
    counts: countsOf(entities.map(({ kind }) => kind)),
    redact,
    found: entities.flatMap(({ places }) => places),
  });
