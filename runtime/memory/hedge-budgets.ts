import { LRUCache } from 'lru-cache';
import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import { earn, type Hedge, refund, spend } from '../../schema/config/hedge.ts';

/** Tenants whose budgets are kept, and fallbacks of one tenant. Those that were not used for longest begin anew. */
const maxTenants = 1000;
const maxOfTenant = 64;

/** The budget of one fallback, which the requests of one tenant earn. */
export class HedgeBudget {
  #earned = 0;

  /** One more visit of the fallback. */
  earn(hedge: Hedge): void {
    this.#earned = earn(this.#earned, hedge);
  }

  /** Takes what one hedge costs; false, and nothing is taken, if that is not there. */
  spend(): boolean {
    const left = spend(this.#earned);
    this.#earned = left ?? this.#earned;
    return left !== undefined;
  }

  /** Gives back what a hedge cost that sent nothing. */
  refund(): void {
    this.#earned = refund(this.#earned);
  }
}

/** The budgets of the fallbacks of all plans of a gateway: they outlast a plan that is replaced by another with the same fallback. */
export class HedgeBudgets {
  readonly #budgets = new LRUCache<TenantId, LRUCache<string, HedgeBudget>>({ max: maxTenants });

  /** @param name that of no other fallback */
  find(tenant: TenantId, name: string): HedgeBudget {
    const own = this.#budgets.get(tenant) ?? new LRUCache<string, HedgeBudget>({ max: maxOfTenant });
    this.#budgets.set(tenant, own);
    const budget = own.get(name) ?? new HedgeBudget();
    own.set(name, budget);
    return budget;
  }
}
