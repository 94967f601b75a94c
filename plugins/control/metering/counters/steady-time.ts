import type { Clock } from '../../../sdk/clock.ts';

/**
 * Time in milliseconds since the epoch that never steps back. Where the given time of day is set back, it goes on at half the
 * speed until that has caught up, so that no window is opened a second time and none lasts for ever. What passes meanwhile is
 * measured by the monotonic clock: a time of day that is put right again has let no time pass.
 */
export const steadyTime = ({ wall, monotonic }: Pick<Clock, 'wall' | 'monotonic'>): (() => number) => {
  let time = wall();
  /** When it was last read, by the monotonic clock, while the time of day is behind it. */
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
