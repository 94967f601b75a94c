/** The bytes that any answer may keep until they are read: no memory is reserved for them. */
export const unreservedBytes: number = 64 * 1024;

/** Reserves memory; false if there is none. */
export type TakeMemory = (bytes: number) => boolean;

/** The memory that is reserved for what is held of one answer: as much as was held at a time. */
export class HeldMemory {
  readonly #take: TakeMemory | undefined;
  #reserved = 0;

  constructor(take: TakeMemory | undefined) {
    this.#take = take;
  }

  /** Whether so many bytes may be held; what they need beyond what was reserved before is reserved. */
  admits(bytes: number): boolean {
    if (this.#take === undefined || bytes <= unreservedBytes || bytes <= this.#reserved) return true;
    if (!this.#take(bytes - this.#reserved)) return false;
    this.#reserved = bytes;
    return true;
  }
}
