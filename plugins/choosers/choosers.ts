import type { ChooserDefinition } from '../sdk/chooser/chooser.ts';
import { headroom } from './headroom.ts';
import { latency } from './latency.ts';
import { leastBusy } from './least-busy.ts';
import { price } from './price.ts';

/** The built-in ways to balance, apart from weights alone, with all of their code. */
export const choosers: readonly ChooserDefinition[] = [latency, leastBusy, headroom, price];
