/** How many bytes any answer may keep until they are read without reserving memory. */
export const unreservedBytes: number = 64 * 1024;

/** Reserves memory. Returns false if there is none. */
export type TakeMemory = (bytes: number) => boolean;

/** The memory that is reserved for one answer: the largest amount held at a time. */
export class HeldMemory {
  readonly #take: TakeMemory | undefined;
  #reserved = 0;

  constructor(take: TakeMemory | undefined) {
    this.#take = take;
  }

  /** Returns whether this many bytes may be held. Reserves what they need beyond what was reserved before. */
  admits(bytes: number): boolean {
    if (this.#take === undefined || bytes <= unreservedBytes || bytes <= this.#reserved) return true;
    if (!this.#take(bytes - this.#reserved)) return false;
    this.#reserved = bytes;
    return true;
  }
}
