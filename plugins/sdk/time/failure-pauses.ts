import { LRUCache } from 'lru-cache';
import { FailurePause, type FailurePauseRules } from './failure-pause.ts';

/** The maximum number of tenants whose failures are remembered. */
const maxTenants = 10_000;

/**
 * A `FailurePause` for each tenant of a service that all of them use. If one tenant's calls fail, because of what it sends or its
 * own limits, other tenants are not paused. Only tenants whose last call failed are remembered.
 */
export class FailurePauses {
  readonly #rules: FailurePauseRules;
  readonly #pauses = new LRUCache<string, FailurePause>({ max: maxTenants });

  constructor(rules: FailurePauseRules) {
    this.#rules = rules;
  }

  /** Whether a call of this tenant may be made now. */
  enter(tenant: string): boolean {
    return this.#pauses.size === 0 || (this.#pauses.get(tenant)?.enter() ?? true);
  }

  succeeded(tenant: string): void {
    if (this.#pauses.size > 0) this.#pauses.delete(tenant);
  }

  failed(tenant: string): void {
    const pause = this.#pauses.get(tenant) ?? new FailurePause(this.#rules);
    this.#pauses.set(tenant, pause);
    pause.failed();
  }
}
