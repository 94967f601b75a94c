import { LRUCache } from 'lru-cache';
import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';

/** The maximum numbers of tenants, and of values of one tenant. The least recently used are evicted. */
const maxTenants = 1000;
const maxOfTenant = 64;

/** Values by name, separate for each tenant, so that one tenant's values take no room from another's. */
export class TenantValues<Value extends object> {
  readonly #tenants = new LRUCache<TenantId, LRUCache<string, Value>>({ max: maxTenants });
  /** The one that was found last, which is the last to be evicted: a request looks it up more than once. */
  #last: { readonly tenant: TenantId; readonly name: string; readonly value: Value } | undefined;

  /** Returns the value with a name, creating it if there is none. */
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
