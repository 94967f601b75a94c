import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdmissionQueue } from '../../../plugins/overload/admission-queue.ts';
import type { Rank } from '../../../plugins/sdk/overload/priority-rank.ts';
import { createCancellation } from '../../../plugins/sdk/time/cancellation.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { sampleExchange, toTenant } from '../../support/in-process/sample-exchange.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

interface Added {
  readonly name: number;
  readonly rank: Rank;
  readonly cancel: () => void;
}

/** A queue whose turns are run by hand. Each started request takes `costMs` of its turn. */
const world = ({ waitMs = 1000, costMs = 0 } = {}) => {
  const clock = createVirtualClock();
  const turns: (() => void)[] = [];
  const queue = new AdmissionQueue({ clock, waitMs, nextTurn: (run) => void turns.push(run) });
  const begun: number[] = [];
  const refused: number[] = [];
  let names = 0;
  let owedMs = 0;
  return {
    ...{ clock, queue, begun, refused },
    hasTurn: () => turns.length > 0,
    add(rank: Rank = 1, tenant = 'a'): Added {
      const { cancellation, cancel } = createCancellation();
      const name = names++;
      const exchange = sampleExchange({}, { principal: { tenant: toTenant(tenant) }, cancellation });
      queue.add(exchange, rank, (decision) => {
        (decision === 'begin' ? begun : refused).push(name);
        if (decision === 'begin') owedMs += costMs;
      });
      return { name, rank, cancel };
    },
    async turn(): Promise<void> {
      turns.shift()?.();
      const ms = owedMs;
      owedMs = 0;
      await clock.advance(ms);
    },
  };
};

describe('the queue of requests before they start', () => {
  it('decides each request once, and never starts a lower rank before a higher one from an earlier turn', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('add' as const),
          rank: fc.constantFrom<Rank>(0, 1, 2),
          tenant: fc.constantFrom('a', 'b'),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
      fc.record({ do: fc.constant('leave' as const), which: fc.nat(20) }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 600 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { queue, add, turn, hasTurn, begun, refused, clock } = world({ costMs: 3 });
        const added: Added[] = [];
        const waiting = (): readonly Added[] =>
          added.filter(({ name }) => !begun.includes(name) && !refused.includes(name));
        const takeTurn = async (): Promise<void> => {
          const [before, since] = [waiting(), begun.length];
          await turn();
          const lowest = Math.min(...begun.slice(since).map((name) => added[name]?.rank ?? 0));
          const decided = new Set([...begun, ...refused]);
          expect(before.filter(({ name, rank }) => rank > lowest && !decided.has(name))).toEqual([]);
        };
        for (const each of steps) {
          if (each.do === 'add') added.push(add(each.rank, each.tenant));
          else if (each.do === 'leave') added[each.which]?.cancel();
          else if (each.do === 'pass') await clock.advance(each.ms);
          else await takeTurn();
          expect([queue.length, queue.length === 0 || hasTurn()]).toEqual([waiting().length, true]);
        }
        while (hasTurn()) await takeTurn();
        expect([...begun, ...refused].toSorted((a, b) => a - b)).toEqual(added.map(({ name }) => name));
      }),
      lawRuns,
    );
  });

  it('starts one request in each long turn, and more if turns are short', async () => {
    const long = world({ costMs: 10 });
    for (let at = 0; at < 20; at += 1) long.add();
    for (let at = 0; at < 5; at += 1) await long.turn();
    expect(long.begun).toHaveLength(5);
    const short = world({ costMs: 0.01 });
    for (let at = 0; at < 1000; at += 1) short.add(1, `tenant ${at % 5}`);
    for (let at = 0; at < 7; at += 1) await short.turn();
    expect(short.begun).toHaveLength(1 + 2 + 4 + 8 + 16 + 32 + 64);
  });

  it('refuses a request that waits too long, and starts one whose client disconnects so that it ends', async () => {
    const { add, begun, refused, clock, queue } = world({ waitMs: 100 });
    const [first, second] = [add(), add(2)];
    second.cancel();
    expect([begun, queue.waitedMs()]).toEqual([[second.name], { all: 0, high: 0 }]);
    await clock.advance(60);
    expect(queue.waitedMs()).toEqual({ all: 60, high: 0 });
    await clock.advance(40);
    expect([refused, queue.length]).toEqual([[first.name], 0]);
  });

  it('immediately starts a request whose client has already disconnected', () => {
    const { queue, begun } = world();
    const { cancellation, cancel } = createCancellation();
    cancel();
    queue.add(sampleExchange({}, { cancellation }), 1, (decision) => void begun.push(decision === 'begin' ? 1 : 0));
    expect([begun, queue.length]).toEqual([[1], 0]);
  });

  it('holds a thousand requests, displaces low priorities first, and gives no tenant more than its share', () => {
    const { add, refused, queue } = world();
    for (let at = 0; at < 1000; at += 1) add(1, `tenant ${at % 5}`);
    expect([queue.length, refused]).toEqual([1000, []]);
    const late = add(1, 'late');
    expect(refused).toEqual([late.name]);
    add(2, 'late');
    expect([queue.length, refused.length]).toEqual([1000, 2]);
    const other = world();
    for (let at = 0; at < 1000; at += 1) other.add(1, 'one');
    expect(other.queue.length).toBe(750);
  });
});
