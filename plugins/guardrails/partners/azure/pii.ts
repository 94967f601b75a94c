import type { Check, CheckServices } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { entitiesVerdict, type PlacedEntity, placeEntity } from '../findings/located-entities.ts';
import { askAboutAll } from '../pieces/ask-about-all.ts';
import { type SpanPiece, spanPieces } from '../pieces/span-pieces.ts';
import { type AzureParameters, askAzure } from './ask-azure.ts';

/** The parameters of `azure.pii`. */
export interface PiiParameters extends AzureParameters {
  readonly domain: string;
  readonly modelVersion: string;
  readonly language: string;
  readonly redact: boolean;
}

/** https://learn.microsoft.com/azure/ai-services/language-service/concepts/data-limits */
const limits = { characters: 5120, documents: 5 };

const vendor = 'Azure AI Language';

/** Groups documents into requests. */
const inRequests = (pieces: readonly SpanPiece[]): readonly (readonly SpanPiece[])[] =>
  Array.from({ length: Math.ceil(pieces.length / limits.documents) }, (_, at) =>
    pieces.slice(at * limits.documents, (at + 1) * limits.documents),
  );

/** Throws if a document was not analysed, because then nothing is known about it. */
const toEntities = (answer: AnswerReader, pieces: readonly SpanPiece[]): readonly PlacedEntity[] => {
  const results = answer.object('results');
  const listed = results.list('documents');
  const documents = new Map(listed.map((each) => [each.text('id'), each]));
  return pieces.flatMap((piece, index) => {
    const document = documents.get(String(index));
    if (document === undefined || listed.length !== pieces.length)
      throw new Error(`${vendor} answered with status 200, but did not analyse all texts.`);
    return document.list('entities').map((entity) => {
      const found = { kind: entity.text('category'), start: entity.number('offset'), snippet: entity.text('text') };
      return placeEntity(found, piece);
    });
  });
};

/** The text must not contain personal data. With `redact`, the data is replaced by its category. */
export const pii = (parameters: PiiParameters, services: CheckServices): Check => {
  const { domain, modelVersion, language, redact } = parameters;
  const ask = askAzure(vendor, parameters, services);
  return async ({ spans, cancellation }) => {
    const requests = inRequests(spanPieces(spans, { max: limits.characters }));
    const entities = await askAboutAll(requests, async (pieces) => {
      const documents = pieces.map(({ text }, index) => ({ id: String(index), language, text }));
      const body = {
        kind: 'PiiEntityRecognition',
        parameters: { domain, modelVersion, stringIndexType: 'Utf16CodeUnit' },
        analysisInput: { documents },
      };
      return toEntities(await ask('/language/:analyze-text', body, cancellation), pieces);
    });
    return entitiesVerdict(vendor, entities.flat(), redact);
  };
};
