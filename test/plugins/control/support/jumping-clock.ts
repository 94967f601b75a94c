import type { Clock } from '../../../../plugins/sdk/clock.ts';

export interface JumpingClock extends Clock {
  /** Advances the time in one step, as for a process that was suspended. Then runs the timers that are due. */
  advance(ms: number): void;
  /** Sets only the time of day. */
  setWall(ms: number): void;
}

export const jumpingClock = (start: number): JumpingClock => {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  let now = 0;
  let wall = start;
  return {
    monotonic: () => now,
    wall: () => wall,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      wall += ms;
      for (const timer of [...timers]) {
        if (timer.at > now || !timers.delete(timer)) continue;
        timer.run();
      }
    },
    setWall(ms) {
      wall = ms;
    },
  };
};
