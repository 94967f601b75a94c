import { LRUCache } from 'lru-cache';
import {
  type IdempotencyStore,
  type RepeatedRequest,
  retentionMs,
  type StoredReply,
} from '../../plugins/sdk/control-plane/idempotency-store.ts';

const maxEntries = 10_000;
/** Roughly bytes. */
const maxBytes = 16 * 1024 * 1024;

const toName = ({ tenant, route, key }: RepeatedRequest): string => JSON.stringify([tenant, route, key]);

/**
 * Replies of this process, which itself sees to it that a request runs once at a time; the ones used least recently are given
 * up where they are too many.
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
