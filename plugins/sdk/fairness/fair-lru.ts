import { LRUCache } from 'lru-cache';

export interface FairLruOptions<Value> {
  /** The maximum size of all values together, in bytes. */
  readonly maxBytes: number;
  /** The maximum size of one value; `maxBytes` if absent. Larger ones are not stored. */
  readonly maxEntryBytes?: number;
  /** The maximum number of values; unlimited if absent. */
  readonly maxEntries?: number;
  /** Returns the size of a value, in bytes: a whole number above 0, and always the same. */
  sizeOf(value: Value): number;
  /** Called with each value that is no longer stored. */
  removed?(value: Value): void;
}

/** The values of one tenant. */
interface Holding<Value extends object> {
  readonly tenant: string;
  readonly values: LRUCache<string, Value>;
}

/**
 * Values of several tenants, by ids that no two tenants have in common. If there is no room, a tenant with more than an equal
 * share of the bytes loses its least recently used value. So nobody loses values to others while it has at most that share.
 */
export class FairLru<Value extends object> {
  readonly #options: FairLruOptions<Value>;
  readonly #byTenant = new Map<string, Holding<Value>>();
  readonly #byId = new Map<string, Holding<Value>>();
  #bytes = 0;
  /** The tenant that has lost a value last. */
  #last: Holding<Value> | undefined;
  /** The tenants whose turn to lose a value has yet to come. */
  #turn = this.#byTenant.values();

  constructor(options: FairLruOptions<Value>) {
    this.#options = options;
  }

  /** Returns a value, and notes that it was used. */
  get(id: string): Value | undefined {
    return this.#byId.get(id)?.values.get(id);
  }

  /** Stores a value, or replaces the one with this id. Returns false if there is no room for it. */
  set(tenant: string, id: string, value: Value): boolean {
    const { maxBytes, maxEntryBytes = maxBytes, maxEntries = Number.POSITIVE_INFINITY, sizeOf } = this.#options;
    this.delete(id);
    const size = sizeOf(value);
    if (size > maxEntryBytes) return false;
    const holding = this.#byTenant.get(tenant) ?? this.#begin(tenant);
    holding.values.set(id, value);
    this.#byId.set(id, holding);
    this.#bytes += size;
    while (this.#bytes > maxBytes || this.#byId.size > maxEntries) this.#evict();
    return this.#byId.has(id);
  }

  delete(id: string): void {
    const holding = this.#byId.get(id);
    holding?.values.delete(id);
    if (holding !== undefined) this.#endEmpty(holding);
  }

  clear(): void {
    for (const { values } of this.#byTenant.values()) values.clear();
    this.#byTenant.clear();
    this.#last = undefined;
  }

  #begin(tenant: string): Holding<Value> {
    const { maxBytes, sizeOf, removed } = this.#options;
    const values = new LRUCache<string, Value>({
      // More than one tenant can have, because all share one limit.
      maxSize: 2 * maxBytes,
      sizeCalculation: sizeOf,
      dispose: (value, id) => {
        this.#byId.delete(id);
        this.#bytes -= sizeOf(value);
        removed?.(value);
      },
    });
    const holding = { tenant, values };
    this.#byTenant.set(tenant, holding);
    return holding;
  }

  #evict(): void {
    const losing = this.#losing();
    losing.values.pop();
    this.#last = losing;
    this.#endEmpty(losing);
  }

  /** Returns the last loser if it still has an equal share of what is stored, and otherwise the next tenant in turn that has. */
  #losing(): Holding<Value> {
    const share = this.#bytes / this.#byTenant.size;
    let losing = this.#last;
    while (losing === undefined || losing.values.calculatedSize < share) {
      const { value, done } = this.#turn.next();
      losing = value;
      if (done === true) this.#turn = this.#byTenant.values();
    }
    return losing;
  }

  #endEmpty(holding: Holding<Value>): void {
    if (holding.values.size > 0) return;
    this.#byTenant.delete(holding.tenant);
    if (this.#last === holding) this.#last = undefined;
  }
}
