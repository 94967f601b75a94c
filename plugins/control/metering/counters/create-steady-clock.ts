import type { Clock } from '../../../sdk/clock.ts';

/**
 * Returns a clock in milliseconds since the epoch that never steps back. If the wall clock is set back, the returned clock
 * continues at half speed until the wall clock has caught up, so that no window is opened twice and none lasts for ever. In that
 * time it is driven by the monotonic clock, so that a correction of the wall clock does not count as elapsed time.
 */
export const createSteadyClock = ({ wall, monotonic }: Pick<Clock, 'wall' | 'monotonic'>): (() => number) => {
  let time = wall();
  /** When it was last read, by the monotonic clock, while the wall clock is behind it. */
  let behindAt: number | undefined;

  const slowed = (): number => {
    const now = monotonic();
    time += (now - (behindAt ?? now)) / 2;
    behindAt = now;
    return Math.floor(time);
  };

  return () => {
    const given = wall();
    if (given < time) return slowed();
    behindAt = undefined;
    time = given;
    return Math.floor(time);
  };
};
