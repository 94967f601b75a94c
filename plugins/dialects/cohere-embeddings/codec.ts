import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { findItems, findNumber, findObject } from '../../../schema/json/loose.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toVectors } from '../shared/answer/to-vectors.ts';
import { defined } from '../shared/json/defined.ts';
import { withoutDropped } from '../shared/request/without-dropped.ts';
import { inputTypes } from './input-types.ts';

/**
 * The API requires a type. This one is sent if a request states no purpose, or one that the API does not know, because most texts
 * are embedded to be stored.
 */
const defaultType = 'search_document';

export const encodeRequest: ProviderCodec<'embed'>['encodeRequest'] = (request, { drop }) => {
  const { model, texts, dimensions, purpose, more } = request;
  const type = purpose === undefined ? undefined : inputTypes[purpose];
  const body = defined({
    model,
    texts: [...texts],
    input_type: type ?? defaultType,
    embedding_types: ['float'],
    output_dimension: dimensions,
  }) as JsonObject;
  const { kept, dropped } = withoutDropped(body, drop);
  return {
    body: kept,
    lost: [...dropped, ...(purpose !== undefined && type === undefined ? ['purpose'] : []), ...more],
  };
};

/** Reads lists by type, or one list in version 1. */
const readVectors = (embeddings: Json | undefined): readonly Json[] | undefined =>
  findItems(embeddings) ?? findItems(findObject(embeddings)?.float);

/** https://docs.cohere.com/reference/embed#response.body.meta: the billed units. An embedding has no output. */
export const findUsage = ({ meta }: JsonObject): Usage | undefined => {
  const billed = findObject(findObject(meta)?.billed_units);
  const input = findNumber(billed?.input_tokens);
  return billed === undefined || input === undefined ? undefined : { input, output: 0, raw: { cohere: billed } };
};

export const decodeAnswer: ProviderCodec<'embed'>['decodeAnswer'] = (wire, request) => {
  const vectors = readVectors(wire.embeddings);
  if (vectors === undefined) throw new TypeError(notAnAnswer(wire, 'embeddings'));
  return toVectors(vectors, request);
};
