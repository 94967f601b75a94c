import { LRUCache } from 'lru-cache';
import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';

/** Tenants of whom something is kept, and values of one tenant. Those that were not used for longest are forgotten. */
const maxTenants = 1000;
const maxOfTenant = 64;

/** Values by name, each tenant's own, so that what one asks for takes no room of another. */
export class TenantValues<Value extends object> {
  readonly #tenants = new LRUCache<TenantId, LRUCache<string, Value>>({ max: maxTenants });
  /** The one that was found last, which is the last to be forgotten: a request asks for it more than once. */
  #last: { readonly tenant: TenantId; readonly name: string; readonly value: Value } | undefined;

  /** The value of that name, which is made where there is none. */
  find(tenant: TenantId, name: string, make: () => Value): Value {
    const last = this.#last;
    if (last !== undefined && last.tenant === tenant && last.name === name) return last.value;
    const own = this.#tenants.get(tenant) ?? this.#add(tenant);
    const known = own.get(name);
    const value = known ?? make();
    if (known === undefined) own.set(name, value);
    this.#last = { tenant, name, value };
    return value;
  }

  #add(tenant: TenantId): LRUCache<string, Value> {
    const own = new LRUCache<string, Value>({ max: maxOfTenant });
    this.#tenants.set(tenant, own);
    return own;
  }
}
