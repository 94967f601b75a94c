import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import { HeldBytes } from '../../plugins/sdk/fairness/held-bytes.ts';
import { fromJson } from '../../schema/json/from-json.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { ItemsOwner, NamedItems } from '../ports/named-items.ts';

/** For all tenants together: the size of the texts of items and their names. */
const maxBytes = 16 * 1024 * 1024;
/** For one item: a larger one would evict too many others. */
const maxItemBytes = 1024 * 1024;
const lifetimeMs = 60 * 60 * 1000;
/** The approximate size of an entry in addition to its texts. */
const entryBytes = 200;

interface Entry {
  readonly text: string;
  readonly bytes: number;
  readonly at: number;
}

/**
 * Items of answers that a later request may name only by their ids. They are kept for an hour in this process. If there is no
 * room, the oldest items of a tenant with more than its share are evicted first.
 */
export class MemoryNamedItems implements NamedItems {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #max: number;
  readonly #held = new HeldBytes();
  /** By tenant, the oldest first. */
  readonly #items = new Map<TenantId, Map<string, Entry>>();

  constructor(clock: Pick<Clock, 'monotonic'>, { max = maxBytes }: { readonly max?: number } = {}) {
    this.#clock = clock;
    this.#max = max;
  }

  get heldBytes(): number {
    return this.#held.all;
  }

  remember({ tenant, owner }: ItemsOwner, items: readonly JsonObject[]): void {
    this.#forgetOld();
    for (const item of items) {
      if (typeof item.id !== 'string') continue;
      const name = `${owner} ${item.id}`;
      const text = JSON.stringify(item);
      const bytes = 2 * (text.length + name.length) + entryBytes;
      this.#forget(tenant, name);
      if (bytes > Math.min(maxItemBytes, this.#max)) continue;
      this.#makeRoom(tenant, bytes);
      const own = this.#items.get(tenant) ?? new Map<string, Entry>();
      this.#items.set(tenant, own);
      own.set(name, { text, bytes, at: this.#clock.monotonic() });
      this.#held.take(tenant, bytes);
    }
  }

  holds(tenant: TenantId): boolean {
    return this.#items.has(tenant);
  }

  recall({ tenant, owner }: ItemsOwner, id: string): JsonObject | undefined {
    const found = this.#items.get(tenant)?.get(`${owner} ${id}`);
    return found === undefined || this.#isOld(found) ? undefined : (fromJson(found.text) as JsonObject);
  }

  /** Yields everything that is remembered, one by one, the oldest of a tenant first. */
  *all(): Generator<{ readonly of: ItemsOwner; readonly item: JsonObject }> {
    for (const [tenant, own] of this.#items)
      for (const [name, entry] of own) {
        if (this.#isOld(entry)) continue;
        const item = fromJson(entry.text) as JsonObject;
        yield { of: { tenant, owner: name.slice(0, -`${item.id}`.length - 1) }, item };
      }
  }

  #isOld({ at }: Entry): boolean {
    return this.#clock.monotonic() - at >= lifetimeMs;
  }

  #forgetOld(): void {
    for (const [tenant, own] of this.#items)
      for (const [name, entry] of own) {
        if (!this.#isOld(entry)) break;
        this.#forget(tenant, name);
      }
  }

  #forget(tenant: TenantId, name: string): void {
    const own = this.#items.get(tenant);
    const entry = own?.get(name);
    if (own === undefined || entry === undefined) return;
    own.delete(name);
    this.#held.give(tenant, entry.bytes);
    if (own.size === 0) this.#items.delete(tenant);
  }

  #makeRoom(tenant: TenantId, bytes: number): void {
    while (this.#held.all + bytes > this.#max) {
      const others = this.#items.has(tenant) ? 0 : 1;
      const share = this.#max / (this.#items.size + others);
      const from = this.#held.of(tenant) + bytes > share && others === 0 ? tenant : this.#largest();
      const [oldest] = this.#items.get(from)?.keys() ?? [];
      if (oldest === undefined) return;
      this.#forget(from, oldest);
    }
  }

  #largest(): TenantId {
    let largest: TenantId | undefined;
    for (const tenant of this.#items.keys())
      if (largest === undefined || this.#held.of(tenant) > this.#held.of(largest)) largest = tenant;
    return largest as TenantId;
  }
}
