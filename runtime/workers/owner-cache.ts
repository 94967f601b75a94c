import type { CacheEntry, ResponseCache } from '../../plugins/sdk/cache/cache.ts';
import { settledOrCancelled } from '../../plugins/sdk/time/settled-or-cancelled.ts';
import type { OwnerCalls, WorkerCalls } from './calls.ts';
import type { Channel } from './channel.ts';

/** Longer than a request waits for a cache. */
const askMs = 10_000;
/** Longer than any call of a provider. Those who wait have deadlines of their own. */
const leadMs = 3_600_000;

type AskOwner = Pick<Channel<OwnerCalls, WorkerCalls>, 'ask' | 'notify'>;

/** Answers that the owner stores for all workers, and which worker produces an answer that several want. */
export const ownerCache = (channel: AskOwner): ResponseCache => ({
  async read({ id }) {
    const entry = await channel.ask('readCache', { id }, askMs);
    return entry === undefined ? { kind: 'miss' } : { kind: 'hit', entry };
  },
  async write({ id, request: { tenant } }, entry, ttlS) {
    // Only these bytes, because they may be a small part of a large block of memory.
    await channel.ask('writeCache', { tenant, id, entry: { ...entry, body: new Uint8Array(entry.body) }, ttlS }, askMs);
  },
  async claim({ id }) {
    if (await channel.ask('leadCache', { id }, askMs))
      return { lead: true, release: () => channel.notify('endLead', { id }) };
    return {
      lead: false,
      async entry(cancellation): Promise<CacheEntry | undefined> {
        await settledOrCancelled(channel.ask('awaitLead', { id }, leadMs), cancellation);
        return cancellation.cancelled ? undefined : channel.ask('readCache', { id }, askMs);
      },
    };
  },
});
