import type { CacheHint, Part } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import type { Member } from '../../shared/json/member.ts';
import { encodeTtl } from '../../shared/parts/cache-hint.ts';

/** Reads a cache point. Returns undefined if the block is another kind of block. */
export const decodeCachePoint = (block: Member): CacheHint | undefined => {
  const point = block.at('cachePoint');
  return point.absent ? undefined : defined({ ttl: point.at('ttl').maybeText() });
};

/** Encodes a cache point, which comes after the content to keep. */
export const encodeCachePoint = (cache: CacheHint, path: string, lost: string[]): JsonObject => ({
  cachePoint: defined({ type: 'default', ttl: encodeTtl(cache, path, lost) }),
});

const isCacheable = (part: Part): boolean =>
  part.kind === 'text' || part.kind === 'media' || part.kind === 'tool-call' || part.kind === 'tool-result';

/**
 * Returns the parts of blocks, with each cache point as the hint of the part before it. A cache point after a part that cannot
 * have a hint is skipped.
 */
export const withCacheHints = <Item extends Part>(
  blocks: readonly Member[],
  decode: (block: Member) => Item | undefined,
): readonly Item[] => {
  const parts: Item[] = [];
  for (const block of blocks) {
    const cache = decodeCachePoint(block);
    const last = parts.at(-1);
    if (cache === undefined) {
      const part = decode(block);
      if (part !== undefined) parts.push(part);
    } else if (last !== undefined && isCacheable(last)) parts[parts.length - 1] = { ...last, cache };
  }
  return parts;
};
