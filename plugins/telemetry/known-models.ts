/** Stands for models that neither plans nor price lists name. */
export const otherModel = 'other';

/** The most names of plans that are kept: workspaces may save one config after another. */
const maxNames = 1000;

/**
 * The names of models in metrics, where each name that a caller makes up would be a series of its own: a model has its name if a plan
 * or a price list names it, and is `other` if not.
 */
export class KnownModels {
  readonly #ofPlans = new Set<string>();

  /** Takes the names of a plan; those for which there is no room are known only if they have a price. */
  add(names: Iterable<string>): void {
    for (const name of names) if (this.#ofPlans.size < maxNames) this.#ofPlans.add(name);
  }

  /** Whether a plan names it. */
  isOfPlan(model: string): boolean {
    return this.#ofPlans.has(model);
  }

  /** @param listed gives its name in a price list, or undefined if it has no price */
  toName(model: string, listed: (model: string) => string | undefined): string {
    return this.#ofPlans.has(model) ? model : (listed(model) ?? otherModel);
  }
}
