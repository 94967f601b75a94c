import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import { addEarnings, type Hedge, refund, spendHedge } from '../../schema/config/hedge.ts';
import { TenantValues } from './tenant-values.ts';

/** The budget of one fallback. The requests of one tenant earn it. */
export class HedgeBudget {
  #earned = 0;

  /** Adds what one more visit of the fallback earns. */
  earn(hedge: Hedge): void {
    this.#earned = addEarnings(this.#earned, hedge);
  }

  /** Takes the cost of one hedge. Returns false, and takes nothing, if there is not enough. */
  spend(): boolean {
    const left = spendHedge(this.#earned);
    this.#earned = left ?? this.#earned;
    return left !== undefined;
  }

  /** Returns the cost of a hedge that sent nothing. */
  refund(): void {
    this.#earned = refund(this.#earned);
  }
}

const newBudget = (): HedgeBudget => new HedgeBudget();

/**
 * The budgets of the fallbacks of all plans of a gateway. They survive if a plan is replaced by another with the same fallback.
 */
export class HedgeBudgets {
  readonly #budgets = new TenantValues<HedgeBudget>();

  /** @param name a name that no other fallback has */
  find(tenant: TenantId, name: string): HedgeBudget {
    return this.#budgets.find(tenant, name, newBudget);
  }
}
