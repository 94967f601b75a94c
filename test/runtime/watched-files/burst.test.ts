import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { burst } from '../../../runtime/watched-files/burst.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a burst of changes', () => {
  it('is processed once, after a tenth of a second without changes', async () => {
    const clock = createVirtualClock();
    const runs: number[] = [];
    const changes = burst({ clock, run: async () => void runs.push(clock.monotonic()) });
    changes.add();
    clock.advance(60);
    changes.add();
    clock.advance(99);
    expect(runs).toEqual([]);
    clock.advance(1);
    await settled();
    expect(runs).toEqual([160]);
    expect(clock.pending).toBe(0);
  });

  it('that does not end is processed after half a second, and every half second afterwards', async () => {
    const clock = createVirtualClock();
    const runs: number[] = [];
    const changes = burst({ clock, run: async () => void runs.push(clock.monotonic()) });
    for (let passed = 0; passed < 1100; passed += 50) {
      changes.add();
      clock.advance(50);
      await settled();
    }
    expect(runs).toEqual([500, 1000]);
  });

  it('that starts while the previous one is processed is processed after it', async () => {
    const clock = createVirtualClock();
    const first = Promise.withResolvers<void>();
    let runs = 0;
    const changes = burst({
      clock,
      run: async () => {
        runs += 1;
        if (runs === 1) await first.promise;
      },
    });
    changes.add();
    clock.advance(100);
    changes.add();
    clock.advance(1000);
    expect(runs).toBe(1);
    first.resolve();
    await settled();
    clock.advance(100);
    expect(runs).toBe(2);
  });

  it('that is stopped is not processed', async () => {
    const clock = createVirtualClock();
    let runs = 0;
    const changes = burst({
      clock,
      run: async () => {
        runs += 1;
      },
    });
    changes.add();
    changes.stop();
    changes.add();
    clock.advance(1000);
    await settled();
    expect(runs).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
