import type { Chooser } from '../../plugins/sdk/chooser/chooser.ts';
import type { TenantId } from '../../plugins/sdk/exchange/exchange.ts';
import type { Clock } from '../ports/clock.ts';
import { RememberedBranches } from './remembered-branches.ts';
import { TenantValues } from './tenant-values.ts';

/** The state of one load balance, for the requests of one tenant. */
export interface BalanceState {
  readonly chooser: Chooser;
  /** The number of requests whose answers have not ended, by branch. */
  readonly inFlight: number[];
}

/** How often a chooser that fails at every request is reported. */
const reportEveryMs = 60_000;

export interface BalancesOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: (text: string) => void;
}

/**
 * The state of the load balances of all plans of a gateway. It survives if a plan is replaced by another with the same branches.
 */
export class Balances {
  readonly remembered: RememberedBranches;
  readonly #clock: BalancesOptions['clock'];
  readonly #log: BalancesOptions['log'];
  readonly #reported = new Map<string, number>();
  readonly #states = new TenantValues<BalanceState>();

  constructor({ clock, log }: BalancesOptions) {
    this.#clock = clock;
    this.#log = log;
    this.remembered = new RememberedBranches(clock);
  }

  /** Reports to the operator that a chooser threw, or chose nothing, at most once a minute per chooser. */
  failed(chooser: string, reason: string): void {
    const now = this.#clock.monotonic();
    const last = this.#reported.get(chooser);
    if (last !== undefined && now - last < reportEveryMs) return;
    this.#reported.set(chooser, now);
    this.#log(`The balance "${chooser}" failed, so targets are chosen by weight: ${reason}`);
  }

  /** @param name a name that load balances with other branches do not have */
  state(tenant: TenantId, name: string, make: () => BalanceState): BalanceState {
    return this.#states.find(tenant, name, make);
  }
}
