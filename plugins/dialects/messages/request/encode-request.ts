import { isDeepStrictEqual } from 'node:util';
import type { AnswerFormat, Conversation, Sampling } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { claudeSampling } from '../../shared/claude/claude-sampling.ts';
import { claudeSchema } from '../../shared/claude/claude-schema.ts';
import { isThinking } from '../../shared/claude/claude-thinking.ts';
import { withoutEndReasoning } from '../../shared/claude/without-end-reasoning.ts';
import { withoutEndSpace } from '../../shared/claude/without-end-space.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { finishRequest } from '../../shared/request/finish-request.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';
import { allowedNames } from '../../shared/request/tool-names.ts';
import { ValidCallIds } from '../../shared/request/valid-call-ids.ts';
import { withMessage } from '../../shared/request/with-message.ts';
import { extractBetas } from './betas.ts';
import { isExpressible } from './documents.ts';
import { encodePart } from './encode-content.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeReasoning } from './reasoning.ts';
import { encodeTier } from './service-tier.ts';
import { encodeTool, encodeToolChoice, toName } from './tools.ts';

/** Encodes the tools. Only those that may be called are sent, because the format has no other way to restrict them. */
const encodeTools = ({ tools, toolChoice }: Conversation, lost: Lost): JsonObject => {
  const allowed = allowedNames(toolChoice);
  if (toolChoice?.allowed !== undefined) lost.push('toolChoice.allowed');
  const wire = present(
    tools.map((tool, index) => {
      const path = `tools[${index}]`;
      if (allowed === undefined || allowed.has(toName(tool))) return encodeTool(tool, path, lost);
      lost.push(path);
      return undefined;
    }),
  );
  if (wire.length === 0) {
    if (toolChoice !== undefined) lost.push('toolChoice');
    return {};
  }
  return defined({
    tools: wire,
    tool_choice: toolChoice === undefined ? undefined : encodeToolChoice(toolChoice, lost),
  });
};

const unsaid = ['seed', 'presencePenalty', 'frequencyPenalty', 'count'] as const;

const encodeSampling = (sampling: Sampling, lost: Lost): JsonObject => {
  recordLosses(sampling, unsaid, { path: 'sampling', lost });
  const { temperature, topP, topK, stop } = sampling;
  return defined({ temperature, top_p: topP, top_k: topK, stop_sequences: stop });
};

const encodeFormat = (format: AnswerFormat | undefined, lost: Lost): JsonObject | undefined => {
  if (format === undefined) return undefined;
  if (format.kind !== 'schema') {
    lost.push('answerFormat');
    return undefined;
  }
  recordLosses(format, ['name', 'strict', 'description'], { path: 'answerFormat', lost });
  const schema = claudeSchema(format.schema);
  if (!isDeepStrictEqual(schema, format.schema)) lost.push('answerFormat.schema');
  return { type: 'json_schema', schema };
};

const outputConfig = (format: JsonObject | undefined, effort: string | undefined): JsonObject | undefined =>
  format === undefined && effort === undefined ? undefined : defined({ format, effort });

/** Records the options for which the API has no parameter. */
const noteOptions = (conversation: Conversation, lost: Lost): void => {
  recordLosses(conversation, ['logprobs', 'modalities', 'audio', 'cacheKey', 'verbosity'], { lost });
};

const mergedFields = ['metadata', 'output_config'] as const;

/**
 * Merges the client's own fields into a body. They take precedence; fields that the conversation expresses in part are merged.
 */
const withExtensions = (body: JsonObject, extensions: JsonObject): JsonObject => {
  const merged: Record<string, JsonObject> = {};
  for (const name of mergedFields) {
    const [ours, theirs] = [body[name], extensions[name]];
    if (isJsonObject(ours) && isJsonObject(theirs)) merged[name] = { ...ours, ...theirs };
  }
  return { ...body, ...extensions, ...merged };
};

/** https://docs.anthropic.com/en/api/messages */
export const encodeRequest = (asked: Conversation, target: EncodeTarget): EncodedRequest => {
  const lost: Lost = [];
  const { conversation: given, headers } = extractBetas(asked);
  const conversation = withoutEndReasoning(given, { dialect: 'messages', has: isExpressible, lost });
  const { model, system, stream, streamUsage, answerFormat, user, serviceTier } = conversation;
  const { citations, ...extensions } = conversation.extensions.messages ?? {};
  const ids = new ValidCallIds();
  const context = defined({ lost, scope: target.scope, citations: findObject(citations), ids });
  if (streamUsage !== (stream ? true : undefined)) lost.push('streamUsage');
  const { thinking, effort, maxTokens } = encodeReasoning(conversation, context);
  noteOptions(conversation, lost);
  const encodedMessages = encodeMessages(withoutEndSpace(conversation, lost), context);
  const first = present(system.map((part, index) => encodePart(part, `system[${index}]`, context)));
  const { prompt, messages } = withMessage(
    { prompt: [...first, ...encodedMessages.prompt], messages: encodedMessages.messages },
    'content',
    lost,
  );
  const body = defined({
    model,
    max_tokens: maxTokens,
    system: prompt.length > 0 ? prompt : undefined,
    messages,
    ...encodeTools(conversation, lost),
    ...encodeSampling(claudeSampling(conversation, isThinking({ thinking }), lost), lost),
    thinking,
    output_config: outputConfig(encodeFormat(answerFormat, lost), effort),
    service_tier: encodeTier(serviceTier, lost),
    metadata: user === undefined ? undefined : { user_id: user },
    stream: stream ? true : undefined,
  }) as JsonObject;
  const encoded = finishRequest('messages', withExtensions(body, extensions), { conversation, target, lost });
  return headers.length === 0 ? encoded : { ...encoded, headers };
};
