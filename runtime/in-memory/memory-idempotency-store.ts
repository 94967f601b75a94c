import { LRUCache } from 'lru-cache';
import {
  type IdempotencyStore,
  type RepeatedRequest,
  retentionMs,
  type StoredReply,
} from '../../plugins/sdk/control-plane/idempotency-store.ts';

const maxEntries = 10_000;
/** The approximate size in bytes. */
const maxBytes = 16 * 1024 * 1024;

const toName = ({ tenant, route, key }: RepeatedRequest): string => JSON.stringify([tenant, route, key]);

/**
 * Creates a store for the replies of this process, which ensures itself that a request runs once at a time. If there are too
 * many, the least recently used are evicted.
 */
export const createMemoryIdempotencyStore = (): IdempotencyStore => {
  const kept = new LRUCache<string, StoredReply>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ body, headers = [] }, name) =>
      name.length + (body === undefined ? 0 : JSON.stringify(body).length) + headers.join('').length + 200,
  });
  return {
    claim: async (request) => {
      const reply = kept.get(toName(request));
      return reply === undefined || request.now - reply.keptAt >= retentionMs
        ? { kind: 'yours' }
        : { kind: 'answered', reply };
    },
    renew: async () => {},
    keep: async (request, reply) => {
      kept.set(toName(request), reply);
    },
    release: async () => {},
  };
};
