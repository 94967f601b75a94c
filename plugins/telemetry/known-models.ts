/** Stands for models that neither plans nor price lists name. */
export const otherModel = 'other';

/** The maximum number of names from plans, because workspaces may keep saving new configs. */
const maxNames = 1000;

/**
 * The names of models in metrics. Each name that a caller makes up would be a separate series, so a model has its own name only
 * if a plan or a price list names it, and is `other` otherwise.
 */
export class KnownModels {
  readonly #ofPlans = new Set<string>();

  /** Adds the names in a plan. Names for which there is no room are only known if they have a price. */
  add(names: Iterable<string>): void {
    for (const name of names) if (this.#ofPlans.size < maxNames) this.#ofPlans.add(name);
  }

  /** Whether a plan names it. */
  isOfPlan(model: string): boolean {
    return this.#ofPlans.has(model);
  }

  /** @param listed returns the model's name in a price list, or undefined if it has no price */
  toName(model: string, listed: (model: string) => string | undefined): string {
    return this.#ofPlans.has(model) ? model : (listed(model) ?? otherModel);
  }
}
