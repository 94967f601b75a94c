import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, findNumber, findObject, toObjects } from '../../../schema/json/loose.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { taskTypes } from '../gemini-embeddings/task-types.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toVectors } from '../shared/answer/to-vectors.ts';
import { defined } from '../shared/json/defined.ts';

type Encode = ProviderCodec<'embed'>['encodeRequest'];

/** Whether the model accepts texts, images and videos. It has different members, and one text is one request. */
const isMultimodal = (model: string | undefined): boolean => model?.includes('multimodalembedding') === true;

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/multimodal-embeddings-api: it has no purposes. */
const encodeMultimodal: Encode = ({ texts, dimensions, purpose, more }) => ({
  body: defined({
    instances: texts.map((text) => ({ text })),
    parameters: dimensions === undefined ? undefined : { dimension: dimensions },
  }) as JsonObject,
  lost: [...(purpose === undefined ? [] : ['purpose']), ...more],
});

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api#request_body */
export const encodeRequest: Encode = (request, target) => {
  if (isMultimodal(request.model)) return encodeMultimodal(request, target);
  const { texts, dimensions, purpose, more } = request;
  const about = defined({ task_type: purpose === undefined ? undefined : taskTypes[purpose] });
  const body = defined({
    instances: texts.map((content) => ({ content, ...about })),
    parameters: dimensions === undefined ? undefined : { outputDimensionality: dimensions },
  });
  return { body: body as JsonObject, lost: more };
};

const embeddingsOf = (wire: JsonObject): readonly JsonObject[] =>
  toObjects(wire.predictions).map(({ embeddings }) => findObject(embeddings) ?? {});

/** Returns the usage. Each text's count is beside its vector, and an embedding has no output. */
export const findUsage = (wire: JsonObject): Usage | undefined => {
  const counts = embeddingsOf(wire).map(({ statistics }) => findNumber(findObject(statistics)?.token_count));
  if (counts.length === 0 || counts.includes(undefined)) return undefined;
  return { input: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0), output: 0 };
};

export const decodeAnswer: ProviderCodec<'embed'>['decodeAnswer'] = (wire, request) => {
  if (findItems(wire.predictions) === undefined) throw new TypeError(notAnAnswer(wire, 'predictions'));
  const vectors = isMultimodal(request.model)
    ? toObjects(wire.predictions).map(({ textEmbedding }) => textEmbedding)
    : embeddingsOf(wire).map(({ values }) => values);
  return toVectors(vectors, request);
};
