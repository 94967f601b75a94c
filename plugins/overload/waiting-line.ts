import { toShare } from '../sdk/fairness/fair-shares.ts';
import { HeldBytes } from '../sdk/fairness/held-bytes.ts';
import type { Rank } from '../sdk/overload/priority-rank.ts';

/** A waiting request. */
export interface Waiter {
  readonly rank: Rank;
  readonly tenant: string;
  readonly bytes: number;
}

export interface LineBounds {
  /** The maximum number of waiting requests. */
  readonly size: number;
  /** The maximum number of bytes that they hold together. */
  readonly bytes: number;
}

/** The requests that still wait once others have given way, and those among them of the tenant whose request arrives. */
interface Left {
  readonly length: number;
  readonly bytes: number;
  readonly own: number;
  readonly ownBytes: number;
}

const without = ({ length, bytes, own, ownBytes }: Left, gone: Waiter, tenant: string): Left => ({
  ...{ length: length - 1, bytes: bytes - gone.bytes },
  ...(gone.tenant === tenant ? { own: own - 1, ownBytes: ownBytes - gone.bytes } : { own, ownBytes }),
});

/** The waiting requests of one rank, by tenant. Tenants are in the order of their turns. */
type Tenants<Each> = Map<string, Set<Each>>;

/**
 * A bounded queue. Higher ranks come first; within a rank, tenants take turns; the requests of one tenant keep their order. One
 * tenant may use more than a quarter of the queue, and of its bytes, only while a quarter is free. A body that is larger than that
 * has room if its tenant has no others there.
 */
export class WaitingLine<Each extends Waiter> {
  readonly #bounds: LineBounds;
  readonly #ranks: readonly [Tenants<Each>, Tenants<Each>, Tenants<Each>] = [new Map(), new Map(), new Map()];
  readonly #counts: [number, number, number] = [0, 0, 0];
  readonly #byTenant = new Map<string, number>();
  readonly #held = new HeldBytes();

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#counts[0] + this.#counts[1] + this.#counts[2];
  }

  get bytes(): number {
    return this.#held.all;
  }

  /**
   * Returns how many requests are served before one that arrives now, if no others arrive. Within its rank, tenants take turns.
   */
  ahead({ rank, tenant }: Pick<Waiter, 'rank' | 'tenant'>): number {
    let ahead = 0;
    for (let above = rank + 1; above < this.#counts.length; above += 1) ahead += this.#counts[above] ?? 0;
    const own = this.#ranks[rank].get(tenant)?.size ?? 0;
    // Until then, tenants before it in the order of turns have one more turn than those after it.
    let turns = own + 1;
    for (const [each, { size }] of this.#ranks[rank]) {
      if (each === tenant) turns = own;
      ahead += Math.min(size, turns);
    }
    return ahead;
  }

  /**
   * Finds the requests that give way so that there is room for one that arrives: none if there is room anyway, otherwise the last
   * ones of the lowest ranks below it, of the tenant that has most there. Returns undefined if there would be no room even then.
   */
  makesRoom(waiter: Waiter): readonly Each[] | undefined {
    const gone: Each[] = [];
    let left = this.#now(waiter.tenant);
    if (this.#hasRoom(waiter, left)) return gone;
    // Finding them one by one takes long if many wait, so it is done only if it leads to room.
    if (!this.#hasRoom(waiter, this.#withoutRanksBelow(waiter))) return undefined;
    for (const each of this.#below(waiter.rank)) {
      gone.push(each);
      left = without(left, each, waiter.tenant);
      if (this.#hasRoom(waiter, left)) break;
    }
    return gone;
  }

  #now(tenant: string): Left {
    const { length, bytes } = this;
    return { length, bytes, own: this.#byTenant.get(tenant) ?? 0, ownBytes: this.#held.of(tenant) };
  }

  #withoutRanksBelow({ rank, tenant }: Waiter): Left {
    let { length, bytes, own, ownBytes } = this.#now(tenant);
    for (const tenants of this.#ranks.slice(0, rank))
      for (const [name, waiting] of tenants) {
        let held = 0;
        for (const each of waiting) held += each.bytes;
        length -= waiting.size;
        bytes -= held;
        if (name !== tenant) continue;
        own -= waiting.size;
        ownBytes -= held;
      }
    return { length, bytes, own, ownBytes };
  }

  /** Whether there is room for a request in addition to those that are left. */
  #hasRoom({ tenant, bytes }: Waiter, left: Left): boolean {
    const { size, bytes: maxBytes } = this.#bounds;
    const after = left.length + 1;
    const bytesAfter = left.bytes + bytes;
    if (after > size || bytesAfter > maxBytes) return false;
    if (tenant === '') return true;
    if (after > size - toShare(size) && left.own >= toShare(size)) return false;
    const share = toShare(maxBytes);
    return left.ownBytes === 0 || bytesAfter <= maxBytes - share || left.ownBytes + bytes <= share;
  }

  add(waiter: Each): void {
    const { rank, tenant, bytes } = waiter;
    const tenants = this.#ranks[rank];
    const own = tenants.get(tenant);
    if (own === undefined) tenants.set(tenant, new Set([waiter]));
    else own.add(waiter);
    this.#count(waiter, 1);
    this.#held.take(tenant, bytes);
  }

  /** Removes a request. Returns false if it is not waiting. */
  remove(waiter: Each): boolean {
    const tenants = this.#ranks[waiter.rank];
    const own = tenants.get(waiter.tenant);
    if (own?.delete(waiter) !== true) return false;
    if (own.size === 0) tenants.delete(waiter.tenant);
    this.#count(waiter, -1);
    this.#held.give(waiter.tenant, waiter.bytes);
    return true;
  }

  /** Removes the next request. Undefined if none is waiting. */
  next(): Each | undefined {
    for (const tenants of this.#ranks.toReversed())
      for (const [tenant, own] of tenants) {
        const [first] = own;
        if (first === undefined) continue;
        this.remove(first);
        // Its next turn comes after all tenants that are waiting now.
        if (tenants.delete(tenant) && own.size > 0) tenants.set(tenant, own);
        return first;
      }
    return undefined;
  }

  /** Iterates the requests below a rank in the order in which they give way. */
  *#below(rank: Rank): Generator<Each> {
    for (const tenants of this.#ranks.slice(0, rank)) {
      const left = Array.from(tenants.values(), (own) => [...own]);
      for (;;) {
        const last = left.reduce<Each[]>((max, each) => (each.length > max.length ? each : max), []).pop();
        if (last === undefined) break;
        yield last;
      }
    }
  }

  #count({ rank, tenant }: Waiter, by: 1 | -1): void {
    this.#counts[rank] += by;
    const now = (this.#byTenant.get(tenant) ?? 0) + by;
    if (now === 0) this.#byTenant.delete(tenant);
    else this.#byTenant.set(tenant, now);
  }
}
