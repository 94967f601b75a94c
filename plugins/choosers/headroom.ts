import { type ChooserDefinition, type ChooserTarget, defineChooser } from '../sdk/chooser/chooser.ts';
import { explored } from './explored.ts';
import { headroomIn } from './rate-limits.ts';

interface Left {
  readonly share: number;
  /** A time on the monotonic clock. */
  readonly until: number;
}

/** Weights are drawn as integers, so a share of a limit is divided into this many steps. */
const steps = 10_000;

/** The maximum sum of the drawn weights. Beyond 2^53, they would not be integers. */
const maxSum = 2 ** 52;

/** Returns the weights of branches, multiplied by the share that each has left. */
const weightsBy = (
  targets: readonly ChooserTarget[],
  shareOf: (target: ChooserTarget) => number,
): readonly number[] => {
  const sum = targets.reduce((total, { weight }) => total + weight, 0);
  const scale = Math.min(steps, maxSum / sum);
  return targets.map((target) => Math.ceil(target.weight * scale * shareOf(target)));
};

/**
 * Draws by weight, multiplied by the share of its limits that each branch last reported as left. A report is used until its
 * window ends. A branch that has not reported anything counts as having all of its limits left.
 */
export const headroom: ChooserDefinition = defineChooser({
  id: 'headroom',
  description: 'By weight, multiplied by the share of its rate limits that each target last reported as left.',
  create({ monotonic, wall }) {
    const learned = new Map<number, Left>();
    const shareOf = ({ index }: ChooserTarget): number => {
      const left = learned.get(index);
      return left === undefined || left.until <= monotonic() ? 1 : left.share;
    };
    return {
      choose(targets, _, draw) {
        const exploring = explored(targets, draw);
        if (exploring !== undefined) return exploring;
        const weights = weightsBy(targets, shareOf);
        return draw.pick(weights.some((weight) => weight > 0) ? weights : targets.map(({ weight }) => weight));
      },
      heard(index, outcome) {
        const found = headroomIn(outcome, wall());
        if (found !== undefined) learned.set(index, { share: found.share, until: monotonic() + found.forMs });
      },
    };
  },
});
