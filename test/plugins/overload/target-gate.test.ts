import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShedReason } from '../../../plugins/overload/refusal.ts';
import { type GateBounds, TargetGate } from '../../../plugins/overload/target-gate.ts';
import type { PlaceRequest, TargetPlace } from '../../../plugins/sdk/overload/overload.ts';
import type { Rank } from '../../../plugins/sdk/overload/priority-rank.ts';
import { createCancellation } from '../../../plugins/sdk/time/cancellation.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { sampleExchange, toTenant } from '../../support/in-process/sample-exchange.ts';
import { lawRuns } from '../../support/run/law-runs.ts';
import { placeRequest } from './simulated-target.ts';

/** The requests that have returned their places. */
const isEnded = new WeakSet<object>();

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A request at a gate, and its outcome. */
interface Asked {
  readonly rank: Rank;
  readonly at: number;
  readonly cancel: () => void;
  /** How often it has been decided: once, or not yet. */
  decided: number;
  place: TargetPlace | undefined;
  refused: GatewayError | undefined;
  heldSince: number;
}

const world = (given: Partial<GateBounds> = {}) => {
  const clock = createVirtualClock();
  const reasons: ShedReason[] = [];
  const gate = new TargetGate(
    {
      limit: { min: 2, max: 2, initial: 2 },
      line: { size: 6, bytes: 1000 },
      waitMs: 1000,
      ...given,
    },
    { clock, random: () => 0.5, shed: (reason) => reasons.push(reason), delayMs: () => 0 },
  );
  const ask = (rank: Rank = 1, request: Partial<PlaceRequest> = {}): Asked => {
    const { cancellation, cancel } = createCancellation();
    const asked: Asked = {
      ...{ rank, at: clock.monotonic(), cancel, decided: 0, place: undefined, refused: undefined, heldSince: 0 },
    };
    const given = (place: TargetPlace): void => {
      asked.decided += 1;
      asked.place = place;
      asked.heldSince = clock.monotonic();
    };
    const refused = (error: unknown): void => {
      if (!(error instanceof GatewayError)) throw error;
      asked.decided += 1;
      asked.refused = error;
    };
    try {
      const place = gate.enter(placeRequest({ cancellation, ...request }), rank);
      if (place instanceof Promise) void place.then(given, refused);
      else given(place);
    } catch (error) {
      refused(error);
    }
    return asked;
  };
  const end = (asked: Asked, outcome: 'served' | 'failed' | 'dropped' = 'served'): void => {
    asked.place?.answered({ outcome, ms: clock.monotonic() - asked.heldSince, kind: '' });
    asked.place?.end();
  };
  return { clock, gate, reasons, ask, end };
};

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      rank: fc.constantFrom<Rank>(0, 1, 2),
      tenant: fc.constantFrom('', 'a', 'b'),
      bytes: fc.integer({ min: 0, max: 400 }),
      maxWaitMs: fc.integer({ min: 0, max: 3000 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), of: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), of: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 700 }) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type TimedAsked = Asked & { readonly maxWaitMs: number };

/** Returns a place and checks which request gets it next. */
const giveBack = async (ended: Asked, { end }: ReturnType<typeof world>, all: readonly Asked[]): Promise<void> => {
  isEnded.add(ended);
  const waiting = all.filter(({ decided }) => decided === 0);
  end(ended);
  await turn();
  const next = waiting.find(({ place }) => place !== undefined);
  if (next !== undefined) expect(next.rank).toBe(Math.max(...waiting.map(({ rank }) => rank)));
};

const take = async (each: Step, one: ReturnType<typeof world>, all: TimedAsked[]): Promise<void> => {
  switch (each.do) {
    case 'ask': {
      const exchange = sampleExchange({}, { principal: { tenant: toTenant(each.tenant) } });
      const { rank, bytes, maxWaitMs } = each;
      all.push(Object.assign(one.ask(rank, { exchange, bytes, maxWaitMs }), { maxWaitMs }));
      break;
    }
    case 'end': {
      const held = all.filter((asked) => asked.place !== undefined && !isEnded.has(asked))[each.of];
      if (held !== undefined) await giveBack(held, one, all);
      break;
    }
    case 'cancel':
      all[each.of]?.cancel();
      break;
    default:
      one.clock.advance(each.ms);
  }
};

describe('the gate of a target', () => {
  it('decides each request once, in time and within its bounds, and serves higher ranks first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const one = world();
        const all: TimedAsked[] = [];
        for (const each of steps) {
          await take(each, one, all);
          await turn();
          const { open, waiting } = one.gate.status();
          expect(open).toBeLessThanOrEqual(2);
          expect(waiting).toBeLessThanOrEqual(6);
          // No request waits while a place is free.
          if (waiting > 0) expect(open).toBe(2);
          for (const { decided } of all) expect(decided).toBeLessThanOrEqual(1);
        }
        one.clock.advance(5000);
        await turn();
        // Every other request was given a place, refused or cancelled: none is forgotten.
        for (const { decided } of all) expect(decided).toBe(1);
        for (const { at, place, heldSince, maxWaitMs } of all)
          if (place !== undefined && place.waitedMs > 0)
            expect(heldSince - at).toBeLessThanOrEqual(Math.min(1000, maxWaitMs));
        expect(one.gate.status().waiting).toBe(0);
      }),
      lawRuns,
    );
  });

  it('immediately refuses a request that cannot be served in time, judging by how long places are held', () => {
    const { clock, ask, end, reasons } = world();
    const [first, second] = [ask(), ask()];
    clock.advance(900);
    end(first);
    end(second);
    ask();
    ask();
    // Places are held for 900 ms, so two become free in time for the first two waiting requests, but not for the third.
    expect(ask().decided).toBe(0);
    expect(ask().decided).toBe(0);
    const third = ask();
    expect(third.refused?.report).toMatchObject({ code: 'target-overloaded', status: 503 });
    expect(reasons).toEqual(['queue-time']);
    expect(Number(third.refused?.report.headers?.[1])).toBeGreaterThanOrEqual(1);
  });

  it('lets a tenant wait whose turn comes in time, however many requests of another tenant wait', async () => {
    const { clock, ask, end, reasons } = world();
    const of = (name: string): Asked =>
      ask(1, { exchange: sampleExchange({}, { principal: { tenant: toTenant(name) } }) });
    const held = [of('a'), of('a')];
    clock.advance(900);
    for (const each of held) end(each);
    const [one, other] = [of('a'), of('a')];
    const waiting = [of('a'), of('a')];
    expect(of('a').refused).toBeDefined();
    const quiet = of('b');
    expect([quiet.decided, reasons]).toEqual([0, ['queue-time']]);
    end(one);
    end(other);
    await turn();
    expect([waiting[0]?.decided, quiet.place === undefined, waiting[1]?.decided]).toEqual([1, false, 0]);
  });

  it('queues no request for a failing target or an open circuit, and no mirror copy', () => {
    const { ask, reasons } = world();
    ask();
    ask();
    expect(ask(1, { isCircuitOpen: () => true }).refused).toBeDefined();
    expect(
      ask(1, { exchange: sampleExchange({}, { mirrorOf: { traceId: 'first', path: rootPointer } }) }).refused,
    ).toBeDefined();
    const failing = world();
    for (let at = 0; at < 8; at += 1) failing.end(failing.ask(), 'failed');
    failing.ask();
    failing.ask();
    expect(failing.ask().refused).toBeDefined();
    expect([reasons, failing.reasons]).toEqual([['failing', 'mirror'], ['failing']]);
    // Once the target serves requests again, others wait for it again.
    const served = world();
    for (let at = 0; at < 8; at += 1) served.end(served.ask(), 'failed');
    for (let at = 0; at < 8; at += 1) served.end(served.ask());
    served.ask();
    served.ask();
    expect(served.ask().decided).toBe(0);
  });

  it('displaces a lower rank when the line is full, but not the same rank', async () => {
    const { ask, reasons } = world();
    ask();
    ask();
    const low = Array.from({ length: 6 }, () => ask(0));
    expect(ask(0).refused).toBeDefined();
    expect(ask(2).decided).toBe(0);
    await turn();
    expect(low.map(({ refused }) => refused !== undefined)).toEqual([false, false, false, false, false, true]);
    expect(reasons).toEqual(['queue-full', 'displaced']);
  });

  it('displaces several of a lower rank if a large body needs their room', async () => {
    const { ask, reasons } = world();
    ask();
    ask();
    const low = Array.from({ length: 5 }, () => ask(0, { bytes: 200 }));
    expect(ask(2, { bytes: 500 }).decided).toBe(0);
    await turn();
    expect(low.map(({ refused }) => refused !== undefined)).toEqual([false, false, true, true, true]);
    expect(reasons).toEqual(['displaced', 'displaced', 'displaced']);
  });

  it('shortens the waiting time of new requests while the line never becomes empty', async () => {
    const { clock, ask, end } = world();
    const held = [ask(), ask()];
    const waiting: Asked[] = [];
    // One request leaves as one arrives, so that one is always waiting, but none for long.
    for (let at = 0; at < 30; at += 1) {
      waiting.push(ask());
      clock.advance(50);
      await turn();
      const next = held.shift();
      if (next !== undefined) end(next);
      await turn();
      const given = waiting.filter((each) => each.place !== undefined && !held.includes(each) && !isEnded.has(each));
      for (const each of given) {
        isEnded.add(each);
        held.push(each);
      }
      waiting.push(ask());
    }
    const late = ask();
    clock.advance(260);
    await turn();
    expect(late.refused).toBeDefined();
  });

  it('keeps the place available when a waiting client disconnects', async () => {
    const { ask, end, gate } = world();
    const first = ask();
    ask();
    const left = ask();
    const next = ask();
    left.cancel();
    await turn();
    expect(left.decided).toBe(1);
    end(first);
    await turn();
    expect(next.place).toBeDefined();
    expect(gate.status()).toMatchObject({ open: 2, waiting: 0, waited: 1 });
  });
});
