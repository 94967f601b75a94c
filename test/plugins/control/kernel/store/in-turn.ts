/** Hands one thing to one user at a time, in the order in which they ask. */
export interface InTurn {
  /** Resolves to what ends the turn. */
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
