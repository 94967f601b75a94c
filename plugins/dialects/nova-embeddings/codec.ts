import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, findObject, toObjects } from '../../../schema/json/loose.ts';
import type { EmbeddingPurpose } from '../../../schema/operations/embedding.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toVectors } from '../shared/answer/to-vectors.ts';
import { defined } from '../shared/json/defined.ts';
import { type OneByOne, unwrapSingle, vectorsOf } from '../shared/split-lists/one-by-one.ts';

/** https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html: a query is compared with texts that were indexed. */
const purposes: Readonly<Partial<Record<EmbeddingPurpose, string>>> = {
  query: 'TEXT_RETRIEVAL',
  document: 'GENERIC_INDEX',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
};

/**
 * The API requires a purpose. This one is sent if a request states none, or one that the API does not know, because most texts
 * are embedded to be stored.
 */
const defaultPurpose = 'GENERIC_INDEX';

const readParameters = (body: JsonObject): JsonObject => findObject(body.singleEmbeddingParams) ?? {};

/** The path names the model. A text that is too long is refused, as at other services. */
export const encodeRequest: ProviderCodec<'embed'>['encodeRequest'] = ({ texts, dimensions, purpose, more }) => {
  const word = purpose === undefined ? undefined : purposes[purpose];
  const parameters = defined({
    embeddingPurpose: word ?? defaultPurpose,
    embeddingDimension: dimensions,
    text: { truncationMode: 'NONE', value: unwrapSingle(texts) },
  }) as JsonObject;
  return {
    body: { taskType: 'SINGLE_EMBEDDING', singleEmbeddingParams: parameters },
    lost: [...(purpose !== undefined && word === undefined ? ['purpose'] : []), ...more],
  };
};

export const oneByOne: OneByOne = {
  readText: (body) => findObject(readParameters(body).text)?.value,
  writeText(body, value) {
    const parameters = readParameters(body);
    return { ...body, singleEmbeddingParams: { ...parameters, text: { ...findObject(parameters.text), value } } };
  },
  readVector(answer) {
    const vector = findItems(toObjects(answer.embeddings)[0]?.embedding);
    if (vector === undefined) throw new TypeError(notAnAnswer(answer, 'embeddings'));
    return vector;
  },
  // It reports no usage.
  sum: () => ({}),
};

export const decodeAnswer: ProviderCodec<'embed'>['decodeAnswer'] = (wire, request) =>
  toVectors(vectorsOf(wire, oneByOne), request);
