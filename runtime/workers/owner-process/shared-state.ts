import { randomUUID } from 'node:crypto';
import type { CacheKey, ResponseCache } from '../../../plugins/sdk/cache/cache.ts';
import type { Vectors } from '../../../plugins/sdk/cache/vectors.ts';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { MemoryNamedItems } from '../../in-memory/memory-named-items.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OwnerCalls, RememberedItems, WorkerSetup } from '../calls.ts';
import type { Answering } from '../channel.ts';
import { Leads } from '../leads.ts';
import { answerVectors } from '../owner-vectors.ts';
import { SharedCircuits } from '../shared-circuits.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface SharedStateOptions {
  readonly clock: Clock;
  /** Stores answers in memory. */
  readonly cache: ResponseCache;
  /** Stores vectors in memory. */
  readonly vectors: Vectors;
  /** Returns the workers that have not ended. */
  readonly workers: () => readonly WorkerProcess[];
}

type SharedCalls = Pick<
  Answering<OwnerCalls>,
  'circuit' | 'confirm' | 'items' | 'readCache' | 'vectors' | 'writeCache' | 'leadCache' | 'endLead' | 'awaitLead'
>;

/** The state that the workers of a gateway share: circuits, answers in memory, and items that requests may name. */
export class SharedState {
  readonly #options: SharedStateOptions;
  readonly #circuits: SharedCircuits;
  readonly #items: MemoryNamedItems;
  readonly #leads = new Leads();
  readonly #placeholderKey = randomUUID();

  constructor(options: SharedStateOptions) {
    this.#options = options;
    this.#circuits = new SharedCircuits(options);
    this.#items = new MemoryNamedItems(options.clock);
  }

  /** Returns the state that a worker starts with. From here on it is notified of changes. */
  join(worker: number): Pick<WorkerSetup, 'placeholderKey' | 'circuits' | 'items'> {
    const circuits = this.#circuits.join(worker, (news) => this.#find(worker)?.channel.notify('circuits', news));
    const items: readonly RememberedItems[] = Array.from(this.#items.all(), ({ of, item }) => ({ of, items: [item] }));
    return { placeholderKey: this.#placeholderKey, circuits, items };
  }

  leave(worker: number): void {
    this.#circuits.leave(worker);
    this.#leads.leave(worker);
  }

  calls(worker: number): SharedCalls {
    const { cache, vectors } = this.#options;
    // The store in memory needs nothing else of a key.
    const keyOf = (id: string, tenant?: TenantId) => ({ id, request: { tenant } }) as CacheKey;
    return {
      circuit: (change) => this.#circuits.apply(worker, change),
      confirm: () => {},
      items: (remembered) => {
        this.#items.remember(remembered.of, remembered.items);
        for (const other of this.#options.workers()) if (other.id !== worker) other.channel.notify('items', remembered);
      },
      readCache: async ({ id }) => {
        const read = await cache.read(keyOf(id));
        return read.kind === 'hit' ? read.entry : undefined;
      },
      writeCache: ({ tenant, id, entry, ttlS }) => cache.write(keyOf(id, tenant), entry, ttlS),
      vectors: (call) => answerVectors(vectors, call),
      leadCache: ({ id }) => this.#leads.take(worker, id),
      endLead: ({ id }) => this.#leads.end(worker, id),
      awaitLead: ({ id }) => this.#leads.over(id),
    };
  }

  #find(id: number): WorkerProcess | undefined {
    return this.#options.workers().find((worker) => worker.id === id);
  }
}
