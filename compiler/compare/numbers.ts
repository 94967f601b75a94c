/** Assigns numbers to texts. Equal texts have the same number, so long texts are compared only once. */
export class Numbers {
  readonly #ids = new Map<string, number>();

  toId(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#ids.size);
    return this.#ids.size - 1;
  }
}
