/** The branch that each load balance uses, by its place in the config (`''` is the root, `/targets/0` a group in it). */
export type Picks = Readonly<Record<string, number>>;

/** A `Chance` without randomness. */
export interface FixedChance {
  pick(at: { readonly path: string }, weights: readonly number[]): number;
  between(at: { readonly path: string }, from: number, to: number): number;
}

/** Returns the picked branch, or otherwise the heaviest (the first of equals). Waits take the longest time. */
export const heaviestBranch = (picks: Picks = {}): FixedChance => ({
  pick: ({ path }, weights) => {
    const picked = picks[path];
    if (picked === undefined) return weights.indexOf(Math.max(...weights));
    if ((weights[picked] ?? 0) > 0) return picked;
    throw new Error(`The load balance at "${path}" can never take branch ${picked} of ${weights.length}.`);
  },
  between: (_, __, to) => to,
});
