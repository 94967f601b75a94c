import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankReader } from '../../../plugins/overload/priority.ts';
import { Shedder } from '../../../plugins/overload/shedder.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { sampleExchange, toTenant } from '../../support/in-process/sample-exchange.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const calm = { delayMs: 0, memory: 0.1 };
const late = { delayMs: 80, memory: 0.1 };

describe('shedding', () => {
  it('never admits a lower rank while it refuses a higher one, and never refuses all of the highest', () => {
    const load = fc.record({
      delayMs: fc.double({ min: 0, max: 500, noNaN: true }),
      memory: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(load, { maxLength: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (loads, drawn) => {
          const shedder = new Shedder({ delayMs: 50, memory: 0.9 });
          for (const each of loads) {
            shedder.measured(each, 200);
            const [low, normal, high] = ([0, 1, 2] as const).map((rank) => shedder.admits(rank, drawn));
            expect(low !== true || normal === true).toBe(true);
            expect(normal !== true || high === true).toBe(true);
            expect(shedder.admits(2, 0)).toBe(true);
          }
        },
      ),
      lawRuns,
    );
  });

  it('refuses nothing without load, and admits everything again some time after the load', () => {
    const shedder = new Shedder({ delayMs: 50, memory: 0.9 });
    shedder.measured(calm, 200);
    expect(shedder.isShedding).toBe(false);
    for (let at = 0; at < 50; at += 1) shedder.measured(late, 200);
    expect(shedder.admitted).toBe(1);
    for (let at = 0; at < 50; at += 1) shedder.measured({ ...late, delayMs: 200 }, 200);
    expect(shedder.admitted).toBe(0.1);
    // The share that was taken away under extreme load comes back with the rest.
    shedder.measured(late, 200);
    expect(shedder.admitted).toBe(0.1);
    for (let at = 0; at < 50; at += 1) shedder.measured(calm, 200);
    expect([shedder.isShedding, shedder.admits(1, 0.5), shedder.admits(0, 0.5)]).toEqual([true, true, false]);
    for (let at = 0; at < 50; at += 1) shedder.measured(calm, 200);
    expect(shedder.isShedding).toBe(false);
  });

  it('stays constant between its two thresholds, and reports which resource is scarce', () => {
    const shedder = new Shedder({ delayMs: 50, memory: 0.9 });
    const measured = (load: typeof calm): void => {
      for (let at = 0; at < 3; at += 1) shedder.measured(load, 200);
    };
    measured({ delayMs: 0, memory: 0.92 });
    expect([shedder.reason, shedder.admitted]).toEqual(['memory', 2.7955555555555556]);
    measured({ delayMs: 40, memory: 0.88 });
    const { admitted } = shedder;
    measured({ delayMs: 40, memory: 0.88 });
    expect(shedder.admitted).toBe(admitted);
    measured(late);
    expect(shedder.reason).toBe('event-loop');
  });

  it('ignores a short delay', () => {
    const shedder = new Shedder({ delayMs: 50, memory: 0.9 });
    for (let at = 0; at < 30; at += 1) shedder.measured(at % 3 === 0 ? { ...late, delayMs: 120 } : calm, 200);
    expect(shedder.isShedding).toBe(false);
  });
});

describe('the priority of a request', () => {
  const rank = rankReader('priority');
  const asked = (priority: 'low' | 'normal' | 'high' | undefined, label?: string) =>
    sampleExchange(
      {},
      {
        principal: { tenant: toTenant('t'), ...(priority === undefined ? {} : { defaults: { priority } }) },
        facts: { metadata: label === undefined ? {} : { priority: label }, params: {}, url: { pathname: '' } },
      },
    );

  it.each([
    [undefined, undefined, 1],
    ['high', undefined, 2],
    ['high', 'low', 0],
    ['high', 'normal', 1],
    ['low', 'high', 0],
    [undefined, 'high', 1],
    [undefined, 'low', 0],
    ['high', 'urgent', 2],
    ['high', 'toString', 2],
  ] as const)("with the key's default %s and the label %s is %s", (priority, label, expected) => {
    expect(rank(asked(priority, label))).toBe(expected);
  });

  it('is the lowest for a mirror copy, and a label counts only if its name is configured', () => {
    expect(rank({ ...asked('high'), mirrorOf: { traceId: 'first', path: rootPointer } })).toBe(0);
    expect(rankReader(undefined)(asked('high', 'low'))).toBe(2);
  });
});
