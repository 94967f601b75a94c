/** Limits the bytes of all bodies that are in memory together. */
export class MemoryBudget {
  readonly limit: number;
  held = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  hasRoom(bytes: number): boolean {
    return this.held + bytes <= this.limit;
  }

  /** Returns false, and reserves nothing, if there is no room. */
  take(bytes: number): boolean {
    if (!this.hasRoom(bytes)) return false;
    this.held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.held -= bytes;
  }
}
