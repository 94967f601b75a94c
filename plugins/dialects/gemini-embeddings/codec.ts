import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findItems, toObjects } from '../../../schema/json/loose.ts';
import type { ProviderCodec } from '../../sdk/dialect/operation-codec.ts';
import { findUsage as findConversationUsage } from '../gemini/answer/usage.ts';
import { notAnAnswer } from '../shared/answer/not-an-answer.ts';
import { toVectors } from '../shared/answer/to-vectors.ts';
import { defined } from '../shared/json/defined.ts';
import { withoutDropped } from '../shared/request/without-dropped.ts';
import { taskTypes } from './task-types.ts';
import { toResource } from './to-resource.ts';

/**
 * Encodes each text as a separate request, which repeats the model:
 * https://ai.google.dev/api/embeddings#method:-models.batchembedcontents
 */
export const encodeRequest: ProviderCodec<'embed'>['encodeRequest'] = (request, { drop }) => {
  const { model, texts, dimensions, purpose, more } = request;
  const settings = defined({
    taskType: purpose === undefined ? undefined : taskTypes[purpose],
    outputDimensionality: dimensions,
  }) as JsonObject;
  const { kept, dropped } = withoutDropped(settings, drop);
  const named = defined({ model: model === undefined ? undefined : toResource(model) }) as JsonObject;
  const requests = texts.map((text) => ({ ...named, content: { parts: [{ text }] }, ...kept }));
  return { body: { requests }, lost: [...dropped, ...more] };
};

/** Returns the usage. An embedding has no output, so none is reported. */
export const findUsage = (wire: JsonObject): Usage | undefined => {
  const usage = findConversationUsage(wire);
  if (usage === undefined || usage.missing?.includes('input') === true) return undefined;
  const { missing: _, ...counts } = usage;
  return { ...counts, output: 0 };
};

export const decodeAnswer: ProviderCodec<'embed'>['decodeAnswer'] = (wire, request) => {
  if (findItems(wire.embeddings) === undefined) throw new TypeError(notAnAnswer(wire, 'embeddings'));
  return toVectors(
    toObjects(wire.embeddings).map(({ values }) => values),
    request,
  );
};
