import { type ChooserDefinition, type ChooserTarget, defineChooser } from '../sdk/chooser/chooser.ts';
import { explored } from './explored.ts';

const load = ({ inFlight, weight }: ChooserTarget): number => (inFlight + 1) / weight;

/** Chooses the branch with the fewest requests in flight relative to its weight. Draws by weight among equals. */
export const leastBusy: ChooserDefinition = defineChooser({
  id: 'least-busy',
  description: 'The target with the fewest requests in flight relative to its weight.',
  create: () => ({
    choose(targets, _, draw) {
      const exploring = explored(targets, draw);
      if (exploring !== undefined) return exploring;
      const min = Math.min(...targets.map(load));
      return draw.pick(targets.map((target) => (load(target) === min ? target.weight : 0)));
    },
    heard() {},
  }),
});
