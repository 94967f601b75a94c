import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GradientLimit } from '../../../plugins/overload/gradient-limit.ts';
import { median } from '../../../plugins/overload/median.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { dearLawRuns, lawRuns, slowLawMs } from '../../support/run/law-runs.ts';
import { SimulatedServer } from './simulated-target.ts';

const bounds = { min: 4, max: 1000, initial: 20 };

/** Clients that always have more requests than a server with this capacity can handle. */
class Crowd {
  readonly clock = createVirtualClock();
  readonly server: SimulatedServer;
  readonly limit = new GradientLimit(bounds);
  served = 0;
  #open = 0;
  readonly #clients: number;

  constructor(capacity: number, serviceMs: number, clients: number) {
    this.server = new SimulatedServer(this.clock, capacity, serviceMs);
    this.#clients = clients;
    this.#ask();
  }

  /** Returns the limit at the end of each of 40 equal parts of a time. */
  run(ms: number): readonly number[] {
    return Array.from({ length: 40 }, () => {
      this.clock.advance(ms / 40);
      return this.limit.limit;
    });
  }

  #ask(): void {
    while (this.#open < Math.min(this.limit.limit, this.#clients)) {
      this.#open += 1;
      this.limit.began(this.#open);
      const beganAt = this.clock.monotonic();
      this.server.serve(() => {
        const ms = this.clock.monotonic() - beganAt;
        this.limit.answered(
          { outcome: 'served', ms, kind: 'stream' },
          { now: this.clock.monotonic(), open: this.#open },
        );
        this.#open -= 1;
        this.served += 1;
        this.#ask();
      });
    }
  }
}

const server = fc.record({ capacity: fc.integer({ min: 4, max: 60 }), serviceMs: fc.integer({ min: 20, max: 2000 }) });

describe('the limit of a target', () => {
  it('stays within its bounds, whatever happens', () => {
    const answer = fc.record({
      outcome: fc.constantFrom('served' as const, 'dropped' as const, 'failed' as const, 'neutral' as const),
      ms: fc.double({ min: 0, max: 100_000, noNaN: true }),
      kind: fc.constantFrom('a', 'b', ''),
      open: fc.integer({ min: 1, max: 2000 }),
      after: fc.double({ min: 0, max: 10_000, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 400 }), fc.integer({ min: 1, max: 50 }), (answers, min) => {
        const own = { min, max: min + 30, initial: min + 10 };
        const limit = new GradientLimit(own);
        let now = 0;
        for (const { open, after, ...each } of answers) {
          now += after;
          limit.answered(each, { now, open });
          expect(limit.limit).toBeGreaterThanOrEqual(own.min);
          expect(limit.limit).toBeLessThanOrEqual(own.max);
        }
      }),
      lawRuns,
    );
  });

  it(
    'approaches the capacity of a server, keeps it busy, and follows it down and up again',
    () => {
      fc.assert(
        fc.property(server, fc.integer({ min: 4, max: 10 }), ({ capacity, serviceMs }, crowd) => {
          const clients = new Crowd(capacity, serviceMs, capacity * crowd);
          const spanMs = 150_000 + 150 * serviceMs;
          // The first minutes count as well: the next probe corrects a limit that is wrong at the start.
          clients.run(spanMs);
          const before = clients.served;
          const first = median(clients.run(spanMs));
          expect(first).toBeGreaterThanOrEqual(Math.max(4, capacity / 2));
          expect(first).toBeLessThanOrEqual(4 * capacity);
          expect(clients.served - before).toBeGreaterThan(0.8 * capacity * (spanMs / serviceMs));

          const less = Math.max(4, Math.floor(capacity / 4));
          clients.server.capacity = less;
          clients.run(spanMs);
          expect(median(clients.run(spanMs))).toBeLessThanOrEqual(Math.max(4 * less, first));

          clients.server.capacity = capacity;
          clients.run(spanMs);
          const atLast = clients.served;
          expect(median(clients.run(spanMs))).toBeGreaterThanOrEqual(capacity / 2);
          expect(clients.served - atLast).toBeGreaterThan(0.8 * capacity * (spanMs / serviceMs));
        }),
        { ...dearLawRuns, numRuns: Math.ceil(dearLawRuns.numRuns / 4) },
      );
    },
    slowLawMs,
  );

  it('does not change for a target with little traffic, however long its answers take', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 20, maxLength: 300 }), (times) => {
        const limit = new GradientLimit(bounds);
        let now = 0;
        for (const ms of times) {
          now += ms;
          limit.answered({ outcome: 'served', ms, kind: 'stream' }, { now, open: 1 });
        }
        expect(limit.limit).toBe(bounds.initial);
      }),
      lawRuns,
    );
  });

  it('ends a probe when response times say nothing about the target', () => {
    const clients = new Crowd(20, 100, 200);
    while (!clients.limit.isProbing) clients.clock.advance(10);
    const probed = clients.limit.limit;
    clients.limit.pause(20);
    expect(clients.limit.isProbing).toBe(false);
    expect(clients.limit.limit).toBeGreaterThan(probed);
  });

  it('shrinks once for requests that were open together and dropped, and not for neutral outcomes', () => {
    const limit = new GradientLimit(bounds);
    for (let at = 0; at < 20; at += 1)
      limit.answered({ outcome: 'dropped', ms: 1000, kind: 'stream' }, { now: 1000 + at, open: 20 });
    expect(limit.limit).toBe(18);
    for (let at = 0; at < 20; at += 1)
      limit.answered({ outcome: 'neutral', ms: 1000, kind: 'stream' }, { now: 9000 + at, open: 18 });
    expect(limit.limit).toBe(18);
    limit.answered({ outcome: 'dropped', ms: 1000, kind: 'stream' }, { now: 9000, open: 18 });
    expect(limit.limit).toBe(16);
  });
});
