import { isJsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import type { StreamUsage, UsageRequest } from '../../../sdk/dialect/stream-usage.ts';

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-stream_options */
export const usageRequest: UsageRequest = {
  param: 'stream_options',
  isMade: ({ stream_options: options }) => isJsonObject(options) && options.include_usage === true,
  make: ({ stream_options: options }) => ({ ...findObject(options), include_usage: true }),
  member: 'usage',
};

/** Every chunk but the last has `"usage": null`, so only the names of the counts show that there are any. */
export const streamUsage: StreamUsage = {
  mark: '_tokens"',
  spoken: ['content', 'reasoning_content', 'reasoning', 'refusal', 'arguments'],
  request: usageRequest,
};
