import type { ChooserDefinition } from '../sdk/chooser/chooser.ts';
import { headroom } from './headroom.ts';
import { latency } from './latency.ts';
import { leastBusy } from './least-busy.ts';
import { price } from './price.ts';

/** The ways to balance that come with the gateway, beside that by weight alone, with all of their code. */
export const choosers: readonly ChooserDefinition[] = [latency, leastBusy, headroom, price];
