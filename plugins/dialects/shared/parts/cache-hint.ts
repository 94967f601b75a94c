import type { CacheHint } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../json/defined.ts';
import type { Member } from '../json/member.ts';

/** The times of OpenAI, of which the first is the default: https://platform.openai.com/docs/guides/prompt-caching */
const [defaultBreakpoint, longBreakpoint] = ['30m', '12h'];

/**
 * Decodes the `cache_control` of a part or tool: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching. Clients of
 * other dialects may send it too; OpenAI's own name for it is `prompt_cache_breakpoint`.
 */
export const decodeCache = (wire: Member): CacheHint | undefined => {
  const control = wire.at('cache_control');
  if (!control.absent) return defined({ ttl: control.at('ttl').maybeText() });
  const breakpoint = wire.at('prompt_cache_breakpoint');
  if (breakpoint.absent) return undefined;
  const ttl = breakpoint.at('ttl').maybeText();
  return ttl === undefined || ttl === defaultBreakpoint ? {} : { ttl };
};

/** Returns the time of a hint. A time that only OpenAI has is a loss, because the other services reject it. */
export const encodeTtl = ({ ttl }: CacheHint, path: string, lost: string[]): string | undefined => {
  if (ttl !== longBreakpoint) return ttl;
  lost.push(`${path}.cache.ttl`);
  return undefined;
};

export const encodeCache = (cache: CacheHint | undefined, path: string, lost: string[]): JsonObject | undefined =>
  cache === undefined ? undefined : defined({ type: 'ephemeral', ttl: encodeTtl(cache, path, lost) });
