/** The largest part of a pool that one tenant may hold. */
const share = 1 / 4;

/** Returns how many places of a pool of this size one tenant may hold: a quarter, and at least one. */
export const toShare = (size: number): number => Math.max(1, Math.floor(size * share));

/**
 * Counts the places that each tenant holds in a pool, and chooses who is next. A tenant holds at most its share, and waiting
 * tenants take turns: the next place goes to the tenant that has waited longest since its last turn, among those that may hold
 * another place. Only tenants that hold places or wait are remembered.
 */
export class FairShares {
  readonly size: number;
  /** The number of places that one tenant may hold. */
  readonly share: number;
  readonly #held = new Map<string, number>();
  /** The waiting tenants, in the order of their turns. */
  readonly #waiting = new Set<string>();
  #taken = 0;

  constructor(size: number, share: number = toShare(size)) {
    this.size = size;
    this.share = share;
  }

  /** The number of places that all tenants hold. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of tenants that are remembered. */
  get tenants(): number {
    return new Set([...this.#held.keys(), ...this.#waiting]).size;
  }

  held(tenant: string): number {
    return this.#held.get(tenant) ?? 0;
  }

  /** Returns how many more places a tenant may take now. */
  room(tenant: string): number {
    return this.#roomBeside(this.held(tenant));
  }

  /** Takes places. If there is not enough room for all of them, takes none and returns false. */
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

  /** Records that a tenant is waiting. A tenant that starts to wait is placed behind all that already wait. */
  wait(tenant: string): void {
    this.#waiting.add(tenant);
  }

  /** Returns the waiting tenants, in the order of their turns. */
  waiting(): readonly string[] {
    return [...this.#waiting];
  }

  /** Records that a tenant no longer waits. */
  leave(tenant: string): void {
    this.#waiting.delete(tenant);
  }

  /**
   * Takes a place for the tenant whose turn it is, and moves it behind all others. Returns undefined if no tenant may take one.
   */
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

  /** Returns how many more places a tenant may take if it holds this many. */
  #roomBeside(held: number): number {
    return Math.min(this.size - this.#taken, this.share - held);
  }
}
