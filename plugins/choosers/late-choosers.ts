import type { ChooserDefinition } from '../sdk/chooser/chooser.ts';
import { loadOwnModule } from '../sdk/loading/own-module.ts';
import type * as Whole from './choosers.ts';

/** The module that contains their code: a path relative to the code folder, without an extension. */
export const choosersModule: string = 'plugins/choosers/choosers';

const whole = (id: string): ChooserDefinition => {
  const { choosers } = loadOwnModule(choosersModule) as typeof Whole;
  const found = choosers.find((each) => each.id === id);
  if (found === undefined) throw new RangeError(`There is no chooser "${id}".`);
  return found;
};

const late = (id: string, more: Pick<ChooserDefinition, 'description' | 'readsPrices'>): ChooserDefinition => ({
  id,
  ...more,
  create: (services) => whole(id).create(services),
});

/** The same as `choosers`, but the code is loaded when the first request is balanced by one of them. */
export const lateChoosers: readonly ChooserDefinition[] = [
  late('latency', {
    description: 'The faster of two targets drawn by weight, compared by the mean time until their answers begin.',
  }),
  late('least-busy', { description: 'The target with the fewest requests in flight relative to its weight.' }),
  late('headroom', {
    description: 'By weight, multiplied by the share of its rate limits that each target last reported as left.',
  }),
  late('price', { description: 'The target at which the request costs least.', readsPrices: true }),
];
