/** How many models are remembered. Longer names are not remembered either, because callers may name any. */
const maxModels = 1000;
const longestName = 300;

/** Something that was found for models of price lists. If there are too many, all are forgotten. */
export class ByModel<Found> {
  readonly #lists = new Map<string, Map<string, Found>>();
  #size = 0;

  get(listedAs: string, model: string): Found | undefined {
    return this.#lists.get(listedAs)?.get(model);
  }

  /** Adds a model that is not there yet. */
  add(listedAs: string, model: string, found: Found): Found {
    if (model.length > longestName) return found;
    if (this.#size >= maxModels) {
      this.#lists.clear();
      this.#size = 0;
    }
    const models = this.#lists.get(listedAs) ?? new Map<string, Found>();
    this.#lists.set(listedAs, models.set(model, found));
    this.#size += 1;
    return found;
  }
}
