import type { CacheHint } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../json/defined.ts';
import type { Member } from '../json/member.ts';

/**
 * Decodes the `cache_control` of a part or tool: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching. Clients of
 * other dialects may send it too; OpenAI's own name for it is `prompt_cache_breakpoint`.
 */
export const decodeCache = (wire: Member): CacheHint | undefined => {
  const control = wire.at('cache_control');
  if (!control.absent) return defined({ ttl: control.at('ttl').maybeText() });
  return wire.at('prompt_cache_breakpoint').absent ? undefined : {};
};

export const encodeCache = (cache: CacheHint | undefined): JsonObject | undefined =>
  cache === undefined ? undefined : defined({ type: 'ephemeral', ttl: cache.ttl });
