/** Something that is asked of plugins, and answered later. */
export interface Settling {
  /** Waits for what was asked; whether anything was. */
  settle(): Promise<boolean>;
}

/** What plugins say may lead to further questions, but not endlessly. */
const mostRounds = 5;

/** Computes something again until isolated plugins have answered all that it asks them. */
export const settled = async <Result>(plugins: readonly Settling[], compute: () => Result): Promise<Result> => {
  for (let round = 1; ; round += 1) {
    const result = compute();
    const asked = await Promise.all(plugins.map((plugin) => plugin.settle()));
    if (!asked.includes(true) || round === mostRounds) return result;
  }
};
