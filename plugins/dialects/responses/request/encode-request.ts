import type { Conversation, Sampling } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findItems } from '../../../../schema/json/loose.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { finishRequest } from '../../shared/request/finish-request.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';
import { withOpenaiSampling } from '../../shared/request/openai-sampling.ts';
import { encodeEffort, encodeFormat } from '../../shared/request/openai-settings.ts';
import { toolMembers } from '../../shared/request/openai-tool-choice.ts';
import { encodeInput } from './encode-input.ts';
import { ownIncludes } from './include.ts';
import { encodeTool, encodeToolChoice } from './tools.ts';

const encodeTools = ({ tools, toolChoice }: Conversation, lost: Lost): JsonObject => {
  const wire = present(tools.map((tool, index) => encodeTool(tool, `tools[${index}]`, lost)));
  return toolMembers(wire, toolChoice, { lost, encode: (choice) => encodeToolChoice(choice, tools, lost) });
};

const unsaid = ['topK', 'stop', 'seed', 'presencePenalty', 'frequencyPenalty', 'count'] as const;

const encodeSampling = (sampling: Sampling, lost: Lost): JsonObject => {
  recordLosses(sampling, unsaid, { path: 'sampling', lost });
  const { maxTokens, temperature, topP } = sampling;
  return defined({ max_output_tokens: maxTokens, temperature, top_p: topP });
};

const objectIn = (members: object): JsonObject | undefined => {
  const known = defined(members) as JsonObject;
  return Object.keys(known).length > 0 ? known : undefined;
};

/**
 * Merges the client's own fields into a body. They take precedence; fields that the conversation expresses in part are merged.
 */
const withExtensions = (body: JsonObject, extensions: JsonObject): JsonObject => {
  const merged: Record<string, Json> = {};
  for (const name of ['text', 'reasoning'])
    if (isJsonObject(body[name]) && isJsonObject(extensions[name]))
      merged[name] = { ...body[name], ...extensions[name] };
  const include = [...(findItems(body.include) ?? []), ...(findItems(extensions.include) ?? [])];
  return { ...body, ...extensions, ...merged, ...(include.length > 0 ? { include } : {}) };
};

const noteLosses = ({ stream, streamUsage, modalities, audio }: Conversation, lost: Lost): void => {
  if (streamUsage !== (stream ? true : undefined)) lost.push('streamUsage');
  if (modalities !== undefined) lost.push('modalities');
  if (audio !== undefined) lost.push('audio');
};

/** https://platform.openai.com/docs/api-reference/responses/create. Nothing is stored, so every request is complete. */
export const encodeRequest = (conversation: Conversation, target: EncodeTarget): EncodedRequest => {
  const lost: Lost = [];
  const { model, stream, user, serviceTier, cacheKey, verbosity, extensions } = conversation;
  const fitted = withOpenaiSampling(conversation, lost);
  const include = ownIncludes(fitted);
  noteLosses(conversation, lost);
  const body = defined({
    model,
    ...encodeInput(conversation, { lost, scope: target.scope }),
    ...encodeTools(conversation, lost),
    ...encodeSampling(fitted.sampling, lost),
    text: objectIn({ format: encodeFormat(conversation.answerFormat, lost), verbosity }),
    reasoning: objectIn({ effort: encodeEffort(conversation, lost) }),
    top_logprobs: fitted.logprobs?.top,
    include: include.length > 0 ? include : undefined,
    user,
    service_tier: serviceTier,
    prompt_cache_key: cacheKey,
    store: false,
    stream: stream ? true : undefined,
  }) as JsonObject;
  return finishRequest('responses', withExtensions(body, extensions.responses ?? {}), { conversation, target, lost });
};
