import fc from 'fast-check';
import { expect } from 'vitest';
import type { Charge } from '../../../../../../plugins/control/metering/counters/limits.ts';
import { LimitsModel } from './limits-model.ts';
import { type LimitsWorld, worldStart } from './limits-world.ts';
import { readAnswer } from './read-answer.ts';

type Place = Pick<Charge, 'policy' | 'unit' | 'reset' | 'bucket'>;

const policies: readonly Omit<Place, 'bucket'>[] = [
  { policy: 'requests-by-minute', unit: 'requests', reset: { every: 'minute' } },
  { policy: 'tokens-by-month', unit: 'tokens', reset: { every: 'month' } },
  { policy: 'cost-by-days', unit: 'nanoUsd', reset: { every: 'days', days: 3, from: worldStart - 5 * 86_400_000 } },
  { policy: 'cost-for-ever', unit: 'nanoUsd', reset: { every: 'never' } },
];
const buckets = ['one', 'two'];
const places: readonly Place[] = policies.flatMap((policy) => buckets.map((bucket) => ({ ...policy, bucket })));

/** The engines check four times a second what is due. */
const tickMs = 250;
const largeLimit = 2 ** 52;

export type LimitsStep =
  | { readonly do: 'reserve'; readonly charges: readonly Charge[]; readonly ticks: number }
  | { readonly do: 'look'; readonly charges: readonly Charge[] }
  | { readonly do: 'reserve again' | 'release'; readonly which: number }
  | { readonly do: 'settle'; readonly which: number; readonly actual: readonly number[] }
  | { readonly do: 'pass'; readonly ticks: number }
  | { readonly do: 'reset'; readonly place: Place }
  | { readonly do: 'restart' };

const which = fc.nat(20);
const amount = fc.oneof({ weight: 9, arbitrary: fc.nat(40) }, { weight: 1, arbitrary: fc.constant(9_000_000_000_001) });
const limit = fc.constantFrom(0, 1, 30, 60, largeLimit);
const bucket = fc.constantFrom(...buckets);
const someCharges = fc
  .subarray([...policies], { minLength: 1 })
  .chain((chosen) =>
    fc.tuple(...chosen.map((policy) => fc.record({ amount, limit, bucket }).map((rest) => ({ ...policy, ...rest })))),
  )
  .map((charges): readonly Charge[] =>
    charges.map((charge) => (charge.unit === 'requests' ? { ...charge, amount: charge.amount % 2 } : charge)),
  );

const step: fc.Arbitrary<LimitsStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      charges: someCharges,
      ticks: fc.integer({ min: 1, max: 400 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), charges: someCharges }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reserve again' as const), which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      which,
      actual: fc.array(amount, { minLength: 4, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ticks: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 4 * 86_400 * 2 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), place: fc.constantFrom(...places) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

export const someSteps: fc.Arbitrary<readonly LimitsStep[]> = fc.array(step, { maxLength: 30 });

/** Expects counters to exceed the limit by at most the largest charge and what was used beyond reservations. */
const expectWithinBound = (model: LimitsModel): void => {
  for (const place of places) {
    const { used, reserved } = model.state(place, largeLimit);
    expect(used + reserved).toBeLessThanOrEqual(largeLimit + model.largest + model.overrun);
  }
};

const expectSameCounters = async (world: LimitsWorld, model: LimitsModel): Promise<void> => {
  const asked = places.map((place) => ({ ...place, limit: 7 }));
  expect(await world.limits.read(asked)).toEqual(asked.map((place) => model.state(place, place.limit)));
};

const take = async (world: LimitsWorld, { model, each }: { model: LimitsModel; each: LimitsStep }): Promise<void> => {
  const { limits } = world;
  const ids = [...model.reservations.keys()];
  const id = 'which' in each ? ids[each.which % Math.max(1, ids.length)] : undefined;
  const known = id === undefined ? undefined : model.reservations.get(id);
  switch (each.do) {
    case 'reserve': {
      const fresh = `attempt-${ids.length}`;
      const options = { ttlMs: each.ticks * tickMs, entry: { note: `estimate of ${fresh}` } };
      expect(await readAnswer(limits.reserve(fresh, each.charges, options))).toEqual(
        model.reserve(fresh, each.charges, options),
      );
      return;
    }
    case 'look': {
      const answer = await readAnswer(limits.peek(each.charges));
      const exact = model.look(each.charges);
      // If it is granted, it may report how full counters were a moment ago.
      if (exact.kind === 'refused') expect(answer).toEqual(exact);
      else expect(answer.kind).toBe('granted');
      return;
    }
    case 'reserve again':
      if (id === undefined || known?.state !== 'held' || known.isOrphan) return;
      expect(
        await readAnswer(
          limits.reserve(
            id,
            known.held.map(({ charge }) => charge),
            { ttlMs: tickMs, entry: { note: 'again' } },
          ),
        ),
      ).toEqual(known.answer);
      return;
    case 'settle': {
      if (id === undefined || known === undefined || known.isOrphan || known.isReleased) return;
      const actual = known.held.map(({ charge }, index) => ({ ...charge, amount: each.actual[index] ?? 0 }));
      limits.settle(id, actual, { note: `use of ${id}` });
      model.settle(id, actual, { note: `use of ${id}` });
      return;
    }
    case 'release':
      if (id === undefined || known?.isOrphan !== false) return;
      limits.release(id);
      model.release(id);
      return;
    case 'pass':
      await world.pass(each.ticks * tickMs);
      model.pass(each.ticks * tickMs);
      return;
    case 'reset':
      expect(await limits.reset(each.place)).toEqual(model.reset(each.place));
      return;
    case 'restart':
      model.restart(world.expiresAtRestart);
      await world.restart(model.sums(places));
  }
};

/** Takes the steps in a world and in the model. Both must agree after each step, and in the end on every posting. */
export const checkAgainstModel = async (world: LimitsWorld, steps: readonly LimitsStep[]): Promise<void> => {
  const model = new LimitsModel(world.now());
  for (const each of steps) {
    await take(world, { model, each });
    await expectSameCounters(world, model);
    expectWithinBound(model);
  }
  const longest = 400 * tickMs;
  await world.pass(longest);
  model.pass(longest);
  await expectSameCounters(world, model);
  expect(new Map(await world.ledger())).toEqual(model.ledger);
};
