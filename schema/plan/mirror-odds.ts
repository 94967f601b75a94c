import type { Mirror } from './plan.ts';

/** The plan feature of mirrors: a gateway that does not know them would send no copies. */
export const mirrorFeature = 'mirror';

const whole = 1_000_000;
const perPercent = whole / 100;

/** The weights of sending a copy, and of sending none: whole numbers, as chance draws by. */
export const mirrorOdds = ({ percent }: Pick<Mirror, 'percent'>): readonly [sent: number, unsent: number] => {
  const sent = Math.round(percent * perPercent);
  return [sent, whole - sent];
};

/** Whether a value is the percentage of a mirror. */
export const isMirrorPercent = (percent: unknown): percent is number =>
  typeof percent === 'number' && percent * perPercent >= 1 && percent <= 100;
