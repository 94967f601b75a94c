/** The part of a pool that one tenant may hold at most. */
const share = 1 / 4;

/** How many places of a pool of that size one tenant may hold: a quarter, and at least one. */
export const toShare = (size: number): number => Math.max(1, Math.floor(size * share));

/**
 * Counts the places that each tenant holds in a pool, and chooses the next. A tenant holds at most its share, and those
 * that wait take turns: the next place is of whoever waits for longest since its last turn, of those that may hold
 * another one. It remembers only tenants that hold places or wait.
 */
export class FairShares {
  readonly size: number;
  /** How many places one tenant may hold. */
  readonly share: number;
  readonly #held = new Map<string, number>();
  /** The tenants that wait, in the order of their turns. */
  readonly #waiting = new Set<string>();
  #taken = 0;

  constructor(size: number, share: number = toShare(size)) {
    this.size = size;
    this.share = share;
  }

  /** How many places are taken, by all tenants. */
  get taken(): number {
    return this.#taken;
  }

  /** How many tenants it remembers. */
  get tenants(): number {
    return new Set([...this.#held.keys(), ...this.#waiting]).size;
  }

  held(tenant: string): number {
    return this.#held.get(tenant) ?? 0;
  }

  /** How many more places a tenant may take now. */
  room(tenant: string): number {
    return this.#roomBeside(this.held(tenant));
  }

  /** Takes places, or none and returns false if there is no room for all of them. */
  take(tenant: string, places = 1): boolean {
    const held = this.held(tenant);
    if (this.#roomBeside(held) < places) return false;
    this.#taken += places;
    this.#held.set(tenant, held + places);
    return true;
  }

  /** Gives back places that were taken. */
  give(tenant: string, places = 1): void {
    const left = this.held(tenant) - places;
    this.#taken -= places;
    if (left > 0) this.#held.set(tenant, left);
    else this.#held.delete(tenant);
  }

  /** Notes that a tenant waits. Whoever begins to wait is behind all that wait already. */
  wait(tenant: string): void {
    this.#waiting.add(tenant);
  }

  /** The tenants that wait, in the order of their turns. */
  waiting(): readonly string[] {
    return [...this.#waiting];
  }

  /** Notes that a tenant does not wait any more. */
  leave(tenant: string): void {
    this.#waiting.delete(tenant);
  }

  /** Takes a place for the tenant whose turn it is, which is then behind all others; undefined if nobody may take one. */
  next(): string | undefined {
    if (this.#taken >= this.size) return undefined;
    for (const tenant of this.#waiting) {
      if (!this.take(tenant)) continue;
      this.#waiting.delete(tenant);
      this.#waiting.add(tenant);
      return tenant;
    }
    return undefined;
  }

  /** How many more places a tenant may take that holds so many. */
  #roomBeside(held: number): number {
    return Math.min(this.size - this.#taken, this.share - held);
  }
}
