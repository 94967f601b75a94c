/** Counts the requests that run, for who waits until none does. */
export class RunningRequests {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** One more runs. The function that it returns is called once, when that is over. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Resolves when none runs. */
  none(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => void this.#waiting.push(resolve));
  }
}
