import { expect, it } from 'vitest';
import {
  ConcurrencyLimiter,
  type LineOutcome,
} from '../../../../../plugins/control/work/batches/managed/concurrency-limiter.ts';

const never = { isStopped: () => false, onStop: () => () => {} };

/** Creates a limiter with a clock that the test advances, and whose timers fire `earlyMs` too early. */
const gateAt = (earlyMs = 0) => {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const clock = {
    monotonic: () => now,
    wall: () => now,
    after(ms: number, run: () => void) {
      timers.push({ at: now + Math.max(ms - earlyMs, 0.01), run });
      return () => {};
    },
  };
  const gate = new ConcurrencyLimiter(clock);
  let inside = 0;
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    /** Queues requests. */
    async enter(count: number) {
      for (let each = 0; each < count; each += 1)
        void gate.enter(never).then(() => {
          inside += 1;
        });
      await settle();
    },
    /** Ends all requests inside with one outcome, and returns how many there were. */
    async end(outcome: LineOutcome) {
      const ended = inside;
      inside = 0;
      for (let each = 0; each < ended; each += 1) gate.leave(outcome);
      await settle();
      return ended;
    },
    async pass(ms: number) {
      const until = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
        if (next === undefined) break;
        timers = timers.filter((each) => each !== next);
        now = next.at;
        next.run();
      }
      now = until;
      await settle();
    },
    inside: () => inside,
  };
};

it('opens again after a pause, even if a timer fires early', async () => {
  const { enter, end, pass, inside } = gateAt(0.4);
  await enter(20);
  expect(await end({ kind: 'pushedBack', ms: 1000 })).toBe(4);
  expect(inside()).toBe(0);
  await pass(999);
  expect(inside()).toBe(0);
  await pass(2);
  expect(inside()).toBe(2);
});

it('admits more requests while they are accepted, and pauses longer and longer while all fail', async () => {
  const { enter, end, pass, inside } = gateAt();
  await enter(2000);
  const grown: number[] = [];
  for (let round = 0; round < 40; round += 1) grown.push(await end({ kind: 'taken' }));
  expect(grown.slice(0, 4)).toEqual([4, 5, 6, 7]);
  expect(grown.at(-1)).toBe(32);
  const pauses: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    await end({ kind: 'failed' });
    // The requests that entered while the others failed.
    await end({ kind: 'failed' });
    let waited = 0;
    for (; inside() === 0 && waited < 100; waited += 1) await pass(1000);
    pauses.push(waited);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 10, 10, 10, 10, 10]);
  expect(inside()).toBe(1);
  await end({ kind: 'taken' });
  expect(inside()).toBe(2);
});
