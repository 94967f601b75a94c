/**
 * Time in milliseconds since the epoch that never steps back. Where the given time of day is set back, it goes on at half the
 * speed until that has caught up, so that no window is opened a second time and none lasts for ever.
 */
export const steadyTime = (wall: () => number): (() => number) => {
  let read = wall();
  let time = read;
  return () => {
    const now = wall();
    time = Math.max(now, time + Math.max(0, now - read) / 2);
    read = now;
    return Math.floor(time);
  };
};
