import { type ChooserDefinition, defineChooser } from '../sdk/chooser/chooser.ts';

/** The branch where the request costs least; by weight among those that cost the same, and where no price is known. */
export const price: ChooserDefinition = defineChooser({
  id: 'price',
  description: 'The target where the request costs least.',
  readsPrices: true,
  create: () => ({
    choose(targets, _, draw) {
      const prices = targets.map((target) => target.price ?? Number.POSITIVE_INFINITY);
      const least = Math.min(...prices);
      return draw.pick(targets.map(({ weight }, at) => (prices[at] === least ? weight : 0)));
    },
    heard() {},
  }),
});
