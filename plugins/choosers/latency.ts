import {
  type ChooserDefinition,
  type ChooserOutcome,
  type ChooserServices,
  type ChooserTarget,
  defineChooser,
} from '../sdk/chooser/chooser.ts';
import { explored } from './explored.ts';

/** The time after which an observation counts a third: https://en.wikipedia.org/wiki/Moving_average#Exponential_moving_average */
const decayMs = 10_000;

/** The minimum time that a failure counts, however fast it was, in milliseconds. */
const failureMs = 10_000;

interface Seen {
  readonly ms: number;
  readonly at: number;
}

/**
 * Rejections of a target's credential, its model or because of its limits. They are fast, so the target would otherwise get all
 * requests that it cannot serve.
 */
const refusals: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429]);

const isFailure = ({ status, origin }: ChooserOutcome): boolean =>
  origin !== 'upstream' || refusals.has(status) || status >= 500;

/**
 * Peak EWMA: a mean of the times until an answer starts, which follows a slower answer immediately and a faster one gradually, so
 * that a branch that becomes slow is avoided immediately:
 * https://linkerd.io/2016/03/16/beyond-round-robin-load-balancing-for-latency/
 */
class PeakMeans {
  readonly #services: ChooserServices;
  readonly #seen = new Map<number, Seen>();

  constructor(services: ChooserServices) {
    this.#services = services;
  }

  /** Returns milliseconds. 0 for a branch about which nothing is known, which is tried first. */
  of(index: number): number {
    const seen = this.#seen.get(index);
    return seen === undefined ? 0 : seen.ms * this.#left(seen);
  }

  add(index: number, ms: number): void {
    const seen = this.#seen.get(index);
    const at = this.#services.monotonic();
    if (seen === undefined || ms >= this.of(index)) this.#seen.set(index, { ms, at });
    else {
      const left = this.#left(seen);
      this.#seen.set(index, { ms: seen.ms * left + ms * (1 - left), at });
    }
  }

  #left({ at }: Seen): number {
    return Math.exp(-(this.#services.monotonic() - at) / decayMs);
  }
}

/** Draws two different indexes by weight. */
const drawTwo = (
  weights: readonly number[],
  pick: (weights: readonly number[]) => number,
): readonly [number, number] => {
  const first = pick(weights);
  return [first, pick(weights.map((weight, at) => (at === first ? 0 : weight)))];
};

/**
 * Chooses the faster of two branches that are drawn by weight (the power of two choices). Each request in flight counts as one
 * more answer to wait for.
 */
export const latency: ChooserDefinition = defineChooser({
  id: 'latency',
  description: 'The faster of two targets drawn by weight, compared by the mean time until their answers begin.',
  create(services) {
    const means = new PeakMeans(services);
    const wait = ({ index, inFlight }: ChooserTarget): number => means.of(index) * (inFlight + 1);
    return {
      choose(targets, _, draw) {
        const exploring = explored(targets, draw);
        if (exploring !== undefined) return exploring;
        const [one, other] = drawTwo(
          targets.map(({ weight }) => weight),
          (weights) => draw.pick(weights),
        );
        const [first, second] = [targets[one], targets[other]];
        return first === undefined || second === undefined || wait(first) <= wait(second) ? one : other;
      },
      heard(index, outcome) {
        const { answeredMs } = outcome;
        means.add(index, isFailure(outcome) ? Math.max(answeredMs, failureMs) : answeredMs);
      },
    };
  },
});
