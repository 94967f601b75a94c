import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { findItems, toObjects } from '../../../schema/json/loose.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toVectors } from '../shared/answer/to-vectors.ts';
import { defined } from '../shared/json/defined.ts';
import { withoutDropped } from '../shared/request/without-dropped.ts';
import { fromBase64 } from '../shared/split-lists/base64-vector.ts';
import { sortByIndex } from '../shared/split-lists/in-places.ts';
import { indexOfInput } from './split.ts';

/** https://platform.openai.com/docs/api-reference/embeddings/create, in the provider's variant. */
const encodeRequest: ProviderCodec<'embed'>['encodeRequest'] = (request, { drop, embeddings: form = {} }) => {
  const { model, texts, dimensions, purpose, more } = request;
  const said = purpose === undefined ? undefined : form.purpose?.words[purpose];
  const word = said ?? form.purpose?.default;
  const body = defined({
    model,
    input: [...texts],
    [form.dimensions ?? 'dimensions']: dimensions,
    ...(form.purpose === undefined ? {} : { [form.purpose.member]: word }),
  }) as JsonObject;
  const { kept, dropped } = withoutDropped(body, drop);
  return {
    body: kept,
    lost: [...dropped, ...(purpose !== undefined && said === undefined ? ['purpose'] : []), ...more],
  };
};

const toVector = ({ embedding }: JsonObject): Json | undefined =>
  typeof embedding === 'string' ? fromBase64(embedding) : embedding;

/** https://platform.openai.com/docs/api-reference/embeddings/object. Each vector includes its index. */
const decodeAnswer: ProviderCodec<'embed'>['decodeAnswer'] = (wire, request) => {
  const items = findItems(wire.data);
  if (items?.every(isJsonObject) !== true) throw new TypeError(notAnAnswer(wire, 'data'));
  return toVectors(sortByIndex(toObjects(items), indexOfInput).map(toVector), request);
};

export const providerCodec: ProviderCodec<'embed'> = { encodeRequest, decodeAnswer };
