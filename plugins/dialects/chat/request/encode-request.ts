import type { Conversation, Sampling, ToolChoice } from '../../../../schema/conversation/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { EncodedRequest, EncodeTarget } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { present } from '../../shared/json/present.ts';
import { finishRequest } from '../../shared/request/finish-request.ts';
import { fitStops } from '../../shared/request/fit-stops.ts';
import { type Lost, recordLoss } from '../../shared/request/lost.ts';
import { withOpenaiSampling } from '../../shared/request/openai-sampling.ts';
import { encodeEffort, encodeFormat } from '../../shared/request/openai-settings.ts';
import { toolMembers } from '../../shared/request/openai-tool-choice.ts';
import { allowedNames, customNames } from '../../shared/request/tool-names.ts';
import { customCalls } from '../parts/custom-calls.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeOptions } from './options.ts';
import { type CustomTool, encodeTool, encodeToolChoice } from './tools.ts';

/** Reports what a function that stands for a custom tool cannot express. */
const loseCustom = ({ format, extensions }: CustomTool, path: string, lost: Lost): void => {
  if (format !== undefined) lost.push(`${path}.format`);
  if (extensions?.chat !== undefined) lost.push(`${path}.extensions`);
};

/**
 * Encodes the tools. A service that accepts only functions has no choice among some of them either, so only those that may be
 * called are sent to it.
 */
const encodeTools = ({ tools, toolChoice }: Conversation, functionsOnly: boolean, lost: Lost): JsonObject => {
  const allowed = functionsOnly ? allowedNames(toolChoice) : undefined;
  if (allowed !== undefined) lost.push('toolChoice.allowed');
  const wire = present(
    tools.map((tool, index) => {
      if (allowed !== undefined && tool.kind !== 'other' && !allowed.has(tool.name))
        return recordLoss(`tools[${index}]`, lost);
      if (tool.kind === 'function' && tool.cache !== undefined) lost.push(`tools[${index}].cache`);
      if (functionsOnly && tool.kind === 'custom') loseCustom(tool, `tools[${index}]`, lost);
      const encoded = encodeTool(tool, functionsOnly);
      if (encoded === undefined) lost.push(`tools[${index}]`);
      return encoded;
    }),
  );
  const custom: ReadonlySet<string> = functionsOnly ? new Set() : customNames(tools);
  const encode = (choice: ToolChoice): Json => (allowed === undefined ? encodeToolChoice(choice, custom) : choice.mode);
  return toolMembers(wire, toolChoice, { lost, encode });
};

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-stop */
const maxStops = 4;

const encodeSampling = (sampling: Sampling, drop: ReadonlySet<string>, lost: Lost): JsonObject => {
  if (sampling.topK !== undefined) lost.push('sampling.topK');
  // Providers that do not support the newer name drop it in their row, and get the older name.
  const limit = drop.has('max_completion_tokens') && !drop.has('max_tokens') ? 'max_tokens' : 'max_completion_tokens';
  return defined({
    ...(sampling.maxTokens === undefined ? {} : { [limit]: sampling.maxTokens }),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    stop: fitStops(sampling.stop, maxStops, lost),
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    n: sampling.count,
  });
};

const encodeStream = ({ stream, streamUsage }: Conversation, lost: Lost): JsonObject => {
  if (!stream && streamUsage !== undefined) lost.push('streamUsage');
  if (!stream) return {};
  return streamUsage === undefined ? { stream } : { stream, stream_options: { include_usage: streamUsage } };
};

const withExtensions = (body: JsonObject, extensions: JsonObject): JsonObject => {
  const options = extensions.stream_options;
  const merged = { ...body, ...extensions };
  if (!isJsonObject(options) || !isJsonObject(body.stream_options)) return merged;
  return { ...merged, stream_options: { ...body.stream_options, ...options } };
};

/** https://platform.openai.com/docs/api-reference/chat/create */
export const encodeRequest = (conversation: Conversation, target: EncodeTarget): EncodedRequest => {
  const lost: Lost = [];
  const { model, answerFormat, extensions } = conversation;
  const fitted = withOpenaiSampling(conversation, lost);
  const functionsOnly = target.lacks?.has('custom-tool') === true;
  const body = defined({
    model,
    messages: encodeMessages(conversation, { ...target, lost }),
    ...encodeTools(conversation, functionsOnly, lost),
    ...encodeSampling(fitted.sampling, target.drop, lost),
    response_format: encodeFormat(answerFormat, lost, 'json_schema'),
    reasoning_effort: encodeEffort(conversation, lost),
    ...encodeOptions(fitted),
    ...encodeStream(conversation, lost),
  }) as JsonObject;
  const encoded = finishRequest('chat', withExtensions(body, extensions.chat ?? {}), { conversation, target, lost });
  const asFunctions = functionsOnly ? customNames(conversation.tools) : new Set<string>();
  return asFunctions.size === 0 ? encoded : { ...encoded, answers: customCalls(asFunctions) };
};
