import type { Mirror } from './plan.ts';

const whole = 1_000_000;

/** Returns the weights of sending a copy and of sending none, as whole numbers for a random draw. */
export const mirrorWeights = ({ percent }: Pick<Mirror, 'percent'>): readonly [sent: number, unsent: number] => {
  const sent = Math.round((percent * whole) / 100);
  return [sent, whole - sent];
};
