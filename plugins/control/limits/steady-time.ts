import type { Clock } from '../identity/clock.ts';

/**
 * Time in milliseconds since the epoch that never steps back. Where the given time of day is set back, it goes on at half the
 * speed until that has caught up, so that no window is opened a second time and none lasts for ever. What passes meanwhile is
 * told by the monotonic clock: a time of day that is put right again has let no time pass.
 */
export const steadyTime = ({ wall, monotonic }: Pick<Clock, 'wall' | 'monotonic'>): (() => number) => {
  let read = monotonic();
  let time = wall();
  return () => {
    const now = monotonic();
    time = Math.max(wall(), time + (now - read) / 2);
    read = now;
    return Math.floor(time);
  };
};
