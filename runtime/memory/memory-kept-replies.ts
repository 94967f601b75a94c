import { LRUCache } from 'lru-cache';
import type { KeptReplies, KeptReply, RepeatedRequest } from '../../plugins/sdk/kept-replies.ts';

const mostEntries = 10_000;
/** Roughly bytes. */
const mostBytes = 16 * 1024 * 1024;

const nameOf = ({ tenant, route, key }: RepeatedRequest): string => JSON.stringify([tenant, route, key]);

/** Replies of this process; the ones used least recently are given up where they are too many. */
export const createMemoryKeptReplies = (): KeptReplies => {
  const kept = new LRUCache<string, KeptReply>({
    max: mostEntries,
    maxSize: mostBytes,
    sizeCalculation: ({ body }, name) => name.length + (body === undefined ? 0 : JSON.stringify(body).length) + 200,
  });
  return {
    find: async (request) => kept.get(nameOf(request)),
    keep: async (request, reply) => {
      kept.set(nameOf(request), reply);
    },
  };
};
