import type { Sticky } from '../../../schema/plan/plan.ts';
import type { Balances } from '../../in-memory/balances.ts';
import type { Run } from '../call/run.ts';
import type { BranchFacts } from './branch-facts.ts';
import { type HashedText, hashText, rendezvous } from './rendezvous.ts';
import { keyReader } from './sticky-key.ts';

export interface StickyOptions {
  readonly sticky: Sticky;
  /** The name of the load balance. */
  readonly name: string;
  readonly branches: readonly BranchFacts[];
  /** Whether keys are assigned by weight. If not, something else chooses the branch of a new key. */
  readonly byWeight: boolean;
  readonly balances: Balances;
}

/** Keeps requests with the same key at the same branch. */
export class StickyBranches {
  readonly #options: StickyOptions;
  readonly #read: ReturnType<typeof keyReader>;

  constructor(options: StickyOptions) {
    this.#options = options;
    this.#read = keyReader(options.sticky.by);
  }

  /**
   * Returns the branch for a request, from the usable ones. `choose` is called for a new key whose branch does not follow from
   * the weights. A key that had to leave its branch stays at the new one while it is used, because the provider there now has its
   * prompts cached.
   */
  find(run: Run, usable: readonly number[], choose: () => number): number {
    const key = this.#read(run.exchange);
    if (key === undefined) return choose();
    const { name, branches, byWeight, balances, sticky } = this.#options;
    const { tenant } = run.exchange.principal;
    const hashed = hashText(`${tenant}\n${key}`);
    const { remembered } = balances;
    const own = byWeight ? rendezvous(hashed, branches) : undefined;
    // Most keys are at their own branch, so nothing is remembered for them.
    if (own !== undefined && usable.includes(own) && !remembered.has(tenant)) return own;
    const entry = `${name} ${hashed.join(' ')}`;
    const known = remembered.recall(tenant, entry);
    const stays = branches.find((branch) => branch.name === known && usable.includes(branch.index));
    const chosen = stays?.index ?? this.#byWeight(hashed, own, usable) ?? choose();
    const { name: branch } = branches.find(({ index }) => index === chosen) ?? {};
    if (chosen === own) remembered.forget(tenant, entry);
    else if (branch !== undefined) remembered.remember(tenant, entry, { branch, ttlMs: sticky.ttlS * 1000 });
    return chosen;
  }

  /** Returns the key's own branch, or, if that is not usable, the one that is its own among the others. */
  #byWeight(hashed: HashedText, own: number | undefined, usable: readonly number[]): number | undefined {
    if (own === undefined || usable.includes(own)) return own;
    return rendezvous(
      hashed,
      this.#options.branches.filter(({ index }) => usable.includes(index)),
    );
  }
}
