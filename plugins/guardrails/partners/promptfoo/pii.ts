import type { Check, CheckServices } from '../../../sdk/guardrail.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { countsOf } from '../found-verdict.ts';
import { locate } from '../located.ts';
import { piiVerdict } from '../pii-verdict.ts';
import type { Redaction } from '../redactions.ts';
import { type SpanPiece, spanPieces } from '../span-pieces.ts';
import { askPromptfoo, mostCharacters, type PromptfooParameters, vendor } from './ask-promptfoo.ts';

/** The parameters of `promptfoo.pii`. */
export interface PiiParameters extends PromptfooParameters {
  readonly redact: boolean;
}

interface Entity {
  readonly kind: string;
  readonly places: readonly Redaction[];
}

const entityOf = (found: AnswerReader, { span, from, text }: SpanPiece): Entity => {
  const kind = found.text('entity_type').toUpperCase();
  const snippet = found.text('pii');
  const places = locate(text, { start: found.number('start'), snippet }).map((at) => ({
    span,
    from: from + at,
    to: from + at + snippet.length,
    with: `[${kind}]`,
  }));
  if (places.length === 0)
    throw new Error(`${vendor} answered with status 200, but found a text that does not occur in what it was sent.`);
  return { kind, places };
};

/** The text may have no personal data in it; with `redact` it is replaced by its kind. */
export const pii = (parameters: PiiParameters, services: CheckServices): Check => {
  const ask = askPromptfoo('/v1/pii', parameters, services);
  return async ({ spans, cancellation }) => {
    const pieces = await Promise.all(
      spanPieces(spans, mostCharacters).map(async (piece) => {
        const result = await ask(piece.text, cancellation);
        if (!result.flag('flagged')) return [];
        return result
          .object('payload')
          .list('pii')
          .map((found) => entityOf(found, piece));
      }),
    );
    const entities = pieces.flat();
    const counts = countsOf(entities.map(({ kind }) => kind));
    return piiVerdict({ vendor, counts, redact: parameters.redact, found: entities.flatMap(({ places }) => places) });
  };
};
