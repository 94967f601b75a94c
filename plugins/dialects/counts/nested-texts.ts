import type { JsonObject } from '../../../schema/json/json.ts';
import { joinPointers, toPointer } from '../../../schema/json/pointer.ts';
import type { TextReading, TextSpan } from '../../sdk/dialect/text-span.ts';
import { echo, object } from '../shared/checked-texts/members.ts';
import { bodyTexts } from '../shared/checked-texts/request-texts.ts';

/** A request inside a body of another format. */
export interface NestedRequest {
  readonly body: JsonObject;
  /** The names of the members that lead to it; empty if it is the body itself. */
  readonly path: readonly string[];
}

const placed = (path: readonly string[], span: TextSpan): TextSpan => ({
  ...span,
  at: joinPointers(toPointer(path), span.at),
  ...(span.further === undefined
    ? {}
    : { further: span.further.map(({ at, from }) => ({ at: joinPointers(toPointer(path), at), from })) }),
});

export const spansUnder = (path: readonly string[], spans: readonly TextSpan[]): readonly TextSpan[] =>
  path.length === 0 ? spans : spans.map((span) => placed(path, span));

/** Returns the texts of a body outside the request in it. No format documents any. */
export const textsAround = (
  body: JsonObject,
  path: readonly string[],
  how?: TextReading,
): readonly TextSpan[] | undefined =>
  path.length === 0
    ? []
    : bodyTexts(
        path.reduceRight((member, name) => object({ [name]: member }), echo),
        body,
        how,
      );
