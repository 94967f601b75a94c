import fc from 'fast-check';
import { it } from 'vitest';
import { lawRuns, slowLawMs } from '../../../../support/run/law-runs.ts';
import { checkAgainstModel, someSteps } from './support/check-against-model.ts';
import { memoryWorld } from './support/memory-world.ts';

it(
  'counters in memory match the model and the sums of their postings',
  async () => {
    await fc.assert(
      fc.asyncProperty(someSteps, async (steps) => {
        await using world = await memoryWorld();
        await checkAgainstModel(world, steps);
      }),
      lawRuns,
    );
  },
  slowLawMs,
);
