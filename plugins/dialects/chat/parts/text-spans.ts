import type { Stretch } from './annotations.ts';

/** Returns the positions of texts of these lengths in the content, which is all of them joined. */
export const toContentSpans = (lengths: readonly number[]): readonly Stretch[] => {
  let from = 0;
  return lengths.map((length) => {
    const stretch = { from, length };
    from += length;
    return stretch;
  });
};

/** The texts of one choice of a stream: their blocks in the order in which they began, and the length of each so far. */
export class TextSpans {
  readonly #blocks: number[] = [];
  /** Block → its number here. */
  readonly #numbers = new Map<number, number>();
  readonly #lengths: number[] = [];

  grow(block: number, text: string): void {
    const index = this.#numbers.get(block) ?? this.#blocks.push(block) - 1;
    this.#numbers.set(block, index);
    this.#lengths[index] = (this.#lengths[index] ?? 0) + text.length;
  }

  /** Returns the block of the text with this number, or undefined if there is no such text. */
  blockAt(index: number): number | undefined {
    return this.#blocks[index];
  }

  /** Returns the position of each block in the content. */
  byBlock(): ReadonlyMap<number, Stretch> {
    const all = this.all();
    return new Map(all.map((stretch, index) => [this.#blocks[index] ?? 0, stretch]));
  }

  all(): readonly Stretch[] {
    return toContentSpans(this.#lengths);
  }
}
