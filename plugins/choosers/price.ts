import { type ChooserDefinition, defineChooser } from '../sdk/chooser/chooser.ts';

/** Chooses the branch where the request costs least. Draws by weight among equals, and if no price is known. */
export const price: ChooserDefinition = defineChooser({
  id: 'price',
  description: 'The target at which the request costs least.',
  readsPrices: true,
  create: () => ({
    choose(targets, _, draw) {
      let min = Number.POSITIVE_INFINITY;
      for (const { price: each = Number.POSITIVE_INFINITY } of targets) if (each < min) min = each;
      return draw.pick(
        targets.map(({ weight, price: each = Number.POSITIVE_INFINITY }) => (each === min ? weight : 0)),
      );
    },
    heard() {},
  }),
});
