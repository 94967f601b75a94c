/**
 * Counts how many bytes of a shared resource each tenant holds. Only tenants that hold some are remembered. The one tenant of a
 * gateway without service keys, whose name is empty, needs no entry.
 */
export class HeldBytes {
  readonly #byTenant = new Map<string, number>();
  #unnamed = 0;
  #all = 0;

  /** The bytes that all tenants hold together. */
  get all(): number {
    return this.#all;
  }

  /** The number of named tenants that are remembered. */
  get tenants(): number {
    return this.#byTenant.size;
  }

  of(tenant: string): number {
    return tenant === '' ? this.#unnamed : (this.#byTenant.get(tenant) ?? 0);
  }

  take(tenant: string, bytes: number): void {
    this.#all += bytes;
    if (tenant === '') this.#unnamed += bytes;
    else if (bytes > 0) this.#byTenant.set(tenant, this.of(tenant) + bytes);
  }

  /** Gives back bytes that were taken. */
  give(tenant: string, bytes: number): void {
    this.#all -= bytes;
    if (tenant === '') this.#unnamed -= bytes;
    else {
      const left = this.of(tenant) - bytes;
      if (left > 0) this.#byTenant.set(tenant, left);
      else this.#byTenant.delete(tenant);
    }
  }
}
