/** Counts the running requests, for callers that wait until there are none. */
export class RunningRequests {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** Counts one more. The returned function is called once, when that request is over. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Resolves when none is running. */
  none(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => void this.#waiting.push(resolve));
  }
}
