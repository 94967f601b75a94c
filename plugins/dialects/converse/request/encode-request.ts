import type { AnswerFormat, Conversation, Sampling } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { claudeOutput } from '../../shared/claude/claude-output.ts';
import { claudeSampling } from '../../shared/claude/claude-sampling.ts';
import { isThinking } from '../../shared/claude/claude-thinking.ts';
import { withoutEndReasoning } from '../../shared/claude/without-end-reasoning.ts';
import { withoutEndSpace } from '../../shared/claude/without-end-space.ts';
import { defined } from '../../shared/json/defined.ts';
import { mergeJson } from '../../shared/json/merge-json.ts';
import { finishRequest } from '../../shared/request/finish-request.ts';
import { fitTemperature } from '../../shared/request/fit-temperature.ts';
import { type Lost, recordLosses } from '../../shared/request/lost.ts';
import { withOwnMembers } from '../../shared/request/own-members.ts';
import { ValidCallIds } from '../../shared/request/valid-call-ids.ts';
import { withMessage } from '../../shared/request/with-message.ts';
import { DocumentNames } from '../parts/document-names.ts';
import { encodeTextFormat } from './answer-format.ts';
import { encodeSystem } from './encode-content.ts';
import { encodeMessages } from './encode-messages.ts';
import { type ModelFamily, modelFamily } from './model-family.ts';
import { ownMembers } from './own-members.ts';
import { encodeReasoning } from './reasoning.ts';
import { encodeToolConfig } from './tools.ts';

const nonEmpty = (object: JsonObject): JsonObject | undefined => (Object.keys(object).length > 0 ? object : undefined);

const unsaid = ['seed', 'presencePenalty', 'frequencyPenalty', 'count'] as const;

/**
 * The settings that Nova refuses at its highest effort: https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 */
const refusedAtHigh = ['maxTokens', 'temperature', 'topP', 'topK'] as const;

const withoutSettings = (sampling: Sampling, names: readonly string[]): Sampling =>
  keepSources(Object.fromEntries(Object.entries(sampling).filter(([name]) => !names.includes(name))), sampling);

/** Returns the sampling settings that models other than Anthropic's accept, with the fields that ask a model to reason. */
const otherSampling = (
  { sampling }: Conversation,
  reasoning: JsonObject,
  { family, lost }: { readonly family: ModelFamily; readonly lost: Lost },
): Sampling => {
  const isHigh = findObject(reasoning.reasoningConfig)?.maxReasoningEffort === 'high';
  const rejected: readonly (keyof Sampling)[] = isHigh ? refusedAtHigh : (family.rejects ?? []);
  recordLosses(sampling, rejected, { path: 'sampling', lost });
  const accepted = rejected.length === 0 ? sampling : withoutSettings(sampling, rejected);
  const temperature = fitTemperature(accepted.temperature);
  if (temperature === accepted.temperature) return accepted;
  lost.push('sampling.temperature');
  return defined({ ...accepted, temperature });
};

/** Encodes the sampling settings. Without a limit, a Claude model gets its own maximum. */
const encodeSampling = ({ model, sampling }: Conversation, { isClaude }: ModelFamily, lost: Lost): JsonObject => {
  recordLosses(sampling, unsaid, { path: 'sampling', lost });
  const { maxTokens, temperature, topP, stop } = sampling;
  const own = isClaude && maxTokens === undefined ? claudeOutput(model) : undefined;
  if (own !== undefined) lost.push('sampling.maxTokens');
  return defined({ maxTokens: maxTokens ?? own, temperature, topP, stopSequences: stop });
};

/** Returns a value nested below the names of a path: `{"a": {"b": value}}`. */
const nested = (path: readonly string[], value: Json): JsonObject =>
  path.toReversed().reduce<Json>((inner, name) => ({ [name]: inner }), value) as JsonObject;

const encodeTopK = (topK: number | undefined, family: ModelFamily, lost: Lost): JsonObject => {
  if (topK === undefined) return {};
  if (family.topK !== undefined) return nested(family.topK, topK);
  lost.push('sampling.topK');
  return {};
};

const encodeUser = (user: string | undefined, { isClaude }: ModelFamily, lost: Lost): JsonObject => {
  if (user === undefined) return {};
  if (isClaude) return { metadata: { user_id: user } };
  lost.push('user');
  return {};
};

const encodeJsonMode = (format: AnswerFormat | undefined, { json }: ModelFamily, lost: Lost): JsonObject => {
  if (format === undefined || format.kind === 'schema') return {};
  if (format.kind === 'json' && json) return { response_format: { type: 'json_object' } };
  lost.push('answerFormat');
  return {};
};

/** Returns the fields that only some models have. */
const encodeFields = (
  conversation: Conversation,
  reasoning: JsonObject,
  { family, lost }: { readonly family: ModelFamily; readonly lost: Lost },
): JsonObject =>
  [
    encodeTopK(conversation.sampling.topK, family, lost),
    reasoning,
    encodeUser(conversation.user, family, lost),
    encodeJsonMode(conversation.answerFormat, family, lost),
  ].reduce(mergeJson);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ServiceTier.html */
const tiers: ReadonlySet<string> = new Set(['default', 'flex', 'priority', 'reserved']);

const encodeTier = (tier: string | undefined, lost: Lost): JsonObject | undefined => {
  if (tier === undefined) return undefined;
  if (tiers.has(tier)) return { type: tier };
  lost.push('serviceTier');
  return undefined;
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
const longestId = 64;

const unsaidMembers = ['logprobs', 'modalities', 'audio', 'cacheKey', 'verbosity'] as const;

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const encodeRequest = (asked: Conversation, target: EncodeTarget): EncodedRequest => {
  const lost: Lost = [];
  const family = modelFamily(asked.model);
  const given = withOwnMembers(asked, 'converse', ownMembers);
  const conversation = family.isClaude
    ? withoutEndReasoning(given, { dialect: 'converse', has: () => false, lost })
    : given;
  const { stream, streamUsage, answerFormat, serviceTier, extensions } = conversation;
  const { citations, ...own } = extensions.converse ?? {};
  const [names, ids] = [new DocumentNames(), new ValidCallIds(longestId)];
  const context = { lost, scope: target.scope, family, names, ids, ...defined({ citations }) };
  recordLosses(conversation, unsaidMembers, { lost });
  if (streamUsage !== (stream ? true : undefined)) lost.push('streamUsage');
  const format = encodeTextFormat(answerFormat, lost);
  const reasoning = encodeReasoning(conversation, family, context);
  const sampling = family.isClaude
    ? claudeSampling(conversation, isThinking(reasoning), lost)
    : otherSampling(conversation, reasoning, context);
  const fitted = { ...(family.isClaude ? withoutEndSpace(conversation, lost) : conversation), sampling };
  const said = { prompt: encodeSystem(conversation, context), messages: encodeMessages(fitted, context) };
  const { prompt, messages } = withMessage(said, 'content', lost);
  const body: JsonObject = defined({
    system: prompt.length > 0 ? prompt : undefined,
    messages,
    inferenceConfig: nonEmpty(encodeSampling(fitted, family, lost)),
    toolConfig: encodeToolConfig(conversation, { lost, caches: family.caches === 'all' }),
    additionalModelRequestFields: nonEmpty(encodeFields(fitted, reasoning, context)),
    outputConfig: format === undefined ? undefined : { textFormat: format },
    serviceTier: encodeTier(serviceTier, lost),
  });
  return finishRequest('converse', mergeJson(body, own), { conversation, target, lost });
};
