import type { EmbeddingAnswer } from '../../../schema/embedding/embedding.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, toObjects } from '../../../schema/json/loose.ts';
import type { EmbeddingCodec } from '../../sdk/dialect/embedding-codec.ts';
import { findUsage } from '../gemini/answer/usage.ts';
import { notAnAnswer } from '../wire/answer/not-an-answer.ts';
import { toVector } from '../wire/answer/to-vector.ts';
import { defined } from '../wire/json/defined.ts';
import { taskTypes } from './task-types.ts';

/** Each request names the model again, with its collection. */
const toResource = (model: string | undefined): string | undefined =>
  model === undefined || /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;

/** Text by text, since each is a request of its own: https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const encodeRequest: EmbeddingCodec['encodeRequest'] = (request, { drop }) => {
  const { model, texts, dimensions, purpose, title, more } = request;
  const settings = Object.entries(
    defined({
      taskType: purpose === undefined ? undefined : taskTypes[purpose],
      title,
      outputDimensionality: dimensions,
    }) as JsonObject,
  );
  const kept = Object.fromEntries(settings.filter(([name]) => !drop.has(name)));
  const requests = texts.map((text) => ({
    ...defined({ model: toResource(model) }),
    content: { parts: [{ text }] },
    ...kept,
  }));
  return {
    body: { requests } as JsonObject,
    lost: [...settings.flatMap(([name]) => (drop.has(name) ? [name] : [])), ...more],
  };
};

export const decodeAnswer: EmbeddingCodec['decodeAnswer'] = (wire) => {
  if (findItems(wire.embeddings) === undefined) throw new TypeError(notAnAnswer(wire, 'embeddings'));
  const usage = findUsage(wire);
  return defined({
    vectors: toObjects(wire.embeddings).map(({ values }) => toVector(values)),
    usage: usage && { ...usage, output: 0 },
  }) as EmbeddingAnswer;
};
