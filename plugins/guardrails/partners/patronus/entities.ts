import type { Check, CheckServices, Replacement } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { toUnit } from '../findings/located-entities.ts';
import { piiVerdict } from '../findings/pii-verdict.ts';
import { askAboutAll } from '../pieces/ask-about-all.ts';
import { type SpanPiece, spanPieces } from '../pieces/span-pieces.ts';
import { askPatronus, type PatronusParameters, vendor } from './ask-patronus.ts';

/** The parameters of `patronus.pii` and `patronus.phi`. */
export interface EntityParameters extends PatronusParameters {
  readonly redact: boolean;
}

/** The documentation states no limit. Longer texts are sent in several requests. */
const maxCharacters = 8000;

type Position = readonly [start: number, end: number];

const isPosition = (value: unknown, length: number): value is Position => {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isInteger)) return false;
  const [start, end] = value as unknown as Position;
  return start >= 0 && start < end && end <= length;
};

/** Returns the positions of findings in a text. Throws an `Error` if the result does not report them. */
const toPositions = (result: AnswerReader, { length }: string): readonly Position[] => {
  const { positions } = result.object('additional_info').json;
  if (!Array.isArray(positions) || positions.length === 0 || !positions.every((each) => isPosition(each, length)))
    throw new Error(`${vendor} answered with status 200, but does not report where in the text it found something.`);
  return positions as unknown as readonly Position[];
};

/**
 * The documentation does not specify whether positions count UTF-16 units or code points. The place covers both interpretations,
 * without splitting a surrogate pair.
 */
const toPlace = ([start, end]: Position, { span, from, text }: SpanPiece, kind: string): Replacement => {
  const first = /[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start - 1 : start;
  return { span, from: from + first, to: from + toUnit(text, end), with: `[${kind}]` };
};

/** Removes duplicates of places that two overlapping parts of a text report. */
const distinct = (places: readonly Replacement[]): readonly Replacement[] => [
  ...new Map(places.map((place) => [JSON.stringify(place), place])).values(),
];

const entities =
  (evaluator: string, found: string) =>
  ({ redact, ...parameters }: EntityParameters, services: CheckServices): Check => {
    const ask = askPatronus(parameters, services);
    return async ({ spans, cancellation }) => {
      const pieces = await askAboutAll(spanPieces(spans, { max: maxCharacters }), async (piece) => {
        const result = await ask({ evaluator }, { output: piece.text }, cancellation);
        if (result.flag('pass')) return undefined;
        if (!redact) return [];
        return toPositions(result, piece.text).map((position) => toPlace(position, piece, evaluator.toUpperCase()));
      });
      const finding = pieces.filter((piece) => piece !== undefined);
      const places = distinct(finding.flat());
      const count = redact ? places.length : finding.length;
      return piiVerdict({ vendor, counts: count === 0 ? {} : { [found]: count }, redact, found: places });
    };
  };

type CreateEntities = (parameters: EntityParameters, services: CheckServices) => Check;

/** The answer must not contain personal data. With `redact`, it is replaced. */
export const pii: CreateEntities = entities('pii', 'personal data');

/** The answer must not contain health data. With `redact`, it is replaced. */
export const phi: CreateEntities = entities('phi', 'data about health');
