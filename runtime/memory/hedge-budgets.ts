import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import { earn, type Hedge, refund, spend } from '../../schema/config/hedge.ts';
import { TenantValues } from './tenant-values.ts';

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

const newBudget = (): HedgeBudget => new HedgeBudget();

/** The budgets of the fallbacks of all plans of a gateway: they outlast a plan that is replaced by another with the same fallback. */
export class HedgeBudgets {
  readonly #budgets = new TenantValues<HedgeBudget>();

  /** @param name that of no other fallback */
  find(tenant: TenantId, name: string): HedgeBudget {
    return this.#budgets.find(tenant, name, newBudget);
  }
}
