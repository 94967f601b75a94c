import type { JsonObject } from '../../../schema/json/json.ts';
import { textSetting } from '../shared/text-setting.ts';
import { azureAiKind } from './azure-ai-address.ts';

/**
 * The members that the chat dialect has and this API lacks. The service would drop them silently, or reject them.
 * https://learn.microsoft.com/rest/api/aifoundry/model-inference/get-chat-completions/get-chat-completions
 */
const extra = [
  'max_completion_tokens',
  'n',
  'reasoning_effort',
  'parallel_tool_calls',
  'stream_options',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'user',
  'service_tier',
  'store',
  'metadata',
  'audio',
  'prediction',
  'verbosity',
  'prompt_cache_key',
  'safety_identifier',
  'web_search_options',
  'functions',
  'function_call',
];

/** Whether the target uses this API rather than Azure OpenAI's, and passes no other parameters to the model. */
const isClosed = (settings: JsonObject): boolean =>
  ['models', 'deployment'].includes(azureAiKind(settings)) &&
  textSetting(settings, 'clouda_extra_params') !== 'pass-through';

/** Returns the parameters that a target leaves out. */
export const extraParameters = (settings: JsonObject): readonly string[] => (isClosed(settings) ? extra : []);

/** Returns a chat body whose token limit has the name that this API knows. */
export const withOlderLimit = (body: JsonObject, settings: JsonObject): JsonObject => {
  if (body.max_completion_tokens === undefined || !isClosed(settings)) return body;
  const { max_completion_tokens: limit, ...rest } = body;
  return { max_tokens: limit, ...rest };
};
