/** A lock that one user at a time can hold, in the order of their calls. */
export interface InTurn {
  /** Waits for the turn, and resolves to a function that ends it. */
  take(): Promise<() => void>;
}

export const inTurn = (): InTurn => {
  let last: Promise<void> = Promise.resolve();
  return {
    async take() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      return resolve;
    },
  };
};
