import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { type Entity, entitiesVerdict, type PlacedEntity, placeEntity } from '../findings/located-entities.ts';
import { askAboutAll } from '../pieces/ask-about-all.ts';
import { spanPieces } from '../pieces/span-pieces.ts';
import { askPromptfoo, maxCharacters, type PromptfooParameters, vendor } from './ask-promptfoo.ts';

/** The parameters of `promptfoo.pii`. */
export interface PiiParameters extends PromptfooParameters {
  readonly redact: boolean;
}

const toEntity = (found: AnswerReader): Entity => ({
  kind: found.text('entity_type'),
  start: found.number('start'),
  snippet: found.text('pii'),
});

/** The finding for a text that is flagged without one. */
const somewhere: PlacedEntity = { kind: 'PII', places: [] };

/** The text must not contain personal data. With `redact`, the data is replaced by its kind. */
export const pii = (parameters: PiiParameters, services: CheckServices): Check => {
  const ask = askPromptfoo('/v1/pii', parameters, services);
  return async ({ spans, cancellation }) => {
    const pieces = await askAboutAll(spanPieces(spans, { max: maxCharacters }), async (piece) => {
      const result = await ask(piece.text, cancellation);
      if (!result.flag('flagged')) return [];
      const entities = result.object('payload').list('pii').map(toEntity);
      return entities.length === 0 ? [somewhere] : entities.map((entity) => placeEntity(entity, piece));
    });
    return entitiesVerdict(vendor, pieces.flat(), parameters.redact);
  };
};
