/** Bounds the bytes of request bodies that are in memory together. */
export class MemoryBudget {
  readonly limit: number;
  held = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  hasRoom(bytes: number): boolean {
    return this.held + bytes <= this.limit;
  }

  /** False: there is no room, and nothing was taken. */
  take(bytes: number): boolean {
    if (!this.hasRoom(bytes)) return false;
    this.held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.held -= bytes;
  }
}
