import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { type Deadline, Deadlines } from '../../../runtime/async/deadlines.ts';

const deadline = (expire: () => void = () => {}): Deadline => ({
  expiresAt: 0,
  next: undefined,
  previous: undefined,
  expire,
});

type Step = { kind: 'add'; ms: number } | { kind: 'remove'; which: number } | { kind: 'wait'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), ms: fc.constantFrom(10, 10, 25, 40) }),
  fc.record({ kind: fc.constant('remove' as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(30) }),
);

describe('deadlines', () => {
  it('expire when separate timers would, and leave no timer behind', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = createVirtualClock();
        const model = createVirtualClock();
        const deadlines = new Deadlines(clock);
        const seen: string[] = [];
        const expected: string[] = [];
        const added: { readonly remove: () => void }[] = [];
        for (const each of steps)
          if (each.kind === 'wait') {
            clock.advance(each.ms);
            model.advance(each.ms);
          } else if (each.kind === 'remove') added[each.which]?.remove();
          else {
            const name = String(added.length);
            const one = deadline(() => void seen.push(`${name} at ${clock.monotonic()}`));
            deadlines.add(one, each.ms);
            const stop = model.after(each.ms, () => void expected.push(`${name} at ${model.monotonic()}`));
            added.push({
              remove: () => {
                deadlines.remove(one, each.ms);
                stop();
              },
            });
          }
        clock.advance(100);
        model.advance(100);
        expect([...seen].sort()).toEqual([...expected].sort());
        expect(clock.pending).toBe(0);
      }),
    );
  });

  it('share one timer for each duration', () => {
    const clock = createVirtualClock();
    const deadlines = new Deadlines(clock);
    for (let count = 0; count < 100; count += 1) deadlines.add(deadline(), 1000);
    expect(clock.pending).toBe(1);
  });

  it('may add others when they expire', () => {
    const clock = createVirtualClock();
    const deadlines = new Deadlines(clock);
    const ends: number[] = [];
    const again = deadline(() => void ends.push(clock.monotonic()));
    deadlines.add(
      deadline(() => deadlines.add(again, 10)),
      10,
    );
    clock.advance(100);
    expect(ends).toEqual([20]);
    expect(clock.pending).toBe(0);
  });
});
