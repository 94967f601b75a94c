import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choosers } from '../../../plugins/choosers/choosers.ts';
import { headroom } from '../../../plugins/choosers/headroom.ts';
import { lateChoosers } from '../../../plugins/choosers/late-choosers.ts';
import { latency } from '../../../plugins/choosers/latency.ts';
import { leastBusy } from '../../../plugins/choosers/least-busy.ts';
import { price } from '../../../plugins/choosers/price.ts';
import type {
  Chooser,
  ChooserDefinition,
  ChooserOutcome,
  ChooserTarget,
} from '../../../plugins/sdk/chooser/chooser.ts';
import { testChooser } from '../../../plugins/testkit/test-chooser.ts';
import { seededChance } from '../../../runtime/in-memory/seeded-chance.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';

let now = 0;

const made = (definition: ChooserDefinition): Chooser =>
  definition.create({ monotonic: () => now, wall: () => Date.UTC(2030, 0, 1) + now });

const target = (index: number, more: Partial<ChooserTarget> = {}): ChooserTarget => ({
  ...{ index, weight: 1, provider: 'openai', inFlight: 0 },
  ...more,
});

const drawOf = (seed: number) => {
  let visit = 0;
  const next = () => ({ seed, path: rootPointer, visit: ++visit });
  return {
    pick: (weights: readonly number[]) => seededChance.pick(next(), weights),
    between: (from: number, to: number) => seededChance.between(next(), from, to),
  };
};

/** Counts how often each target is chosen for the given number of requests. */
const choices = (chooser: Chooser, targets: readonly ChooserTarget[], requests = 2000): readonly number[] => {
  const counts = targets.map(() => 0);
  for (let seed = 0; seed < requests; seed += 1) {
    const place = chooser.choose(targets, { tokens: 100, needs: [] }, drawOf(seed));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
};

const outcome = (answeredMs: number, more: Partial<ChooserOutcome> = {}, headers: Record<string, string> = {}) => ({
  ...{ status: 200, origin: 'upstream' as const, answeredMs },
  ...more,
  header: (name: string) => headers[name],
});

const arbitraryTarget = fc.record({
  // Six of the largest weights nearly reach the largest sum that a plan can have.
  weight: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 50 })),
  inFlight: fc.nat(50),
  price: fc.option(fc.double({ min: 0, max: 10, noNaN: true }), { nil: undefined }),
});

const arbitraryHeard = fc.record({
  index: fc.nat(5),
  status: fc.constantFrom(200, 429, 500),
  origin: fc.constantFrom('upstream', 'network', 'timeout'),
  answeredMs: fc.constantFrom(0, 1, 500, 60_000, Number.MAX_SAFE_INTEGER),
  headers: fc.dictionary(
    fc.constantFrom(
      ...['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests', 'retry-after'],
    ),
    fc.constantFrom(
      '',
      '0',
      '1',
      '-1',
      'NaN',
      '99999999999999999999',
      '6m0s',
      '2030-01-01T00:00:05Z',
      'x'.repeat(9000),
    ),
  ),
  waitMs: fc.constantFrom(0, 1, 10_000, 3_600_000),
});

it('the lazy choosers match the choosers, and each has a row in the README', () => {
  const facts = ({ id, description, readsPrices }: ChooserDefinition) => ({ id, description, readsPrices });
  expect(lateChoosers.map(facts), 'The lines of late-choosers.ts are those of choosers.ts.').toEqual(
    choosers.map(facts),
  );
  const readme = readFileSync(path.join(import.meta.dirname, '../../../plugins/choosers/README.md'), 'utf8');
  for (const { id } of choosers) expect(readme).toContain(`\n| \`${id}\` | `);
});

describe.each(choosers)('$id', (definition) => {
  it('keeps the chooser contract', () => testChooser(definition));

  it('chooses one of the targets, whatever outcomes it has seen', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryTarget, { minLength: 2, maxLength: 6 }),
        fc.array(arbitraryHeard, { maxLength: 20 }),
        fc.nat(),
        (given, heard, seed) => {
          const chooser = made(definition);
          const targets = given.map(({ price: cost, ...more }, index) =>
            target(index, { ...more, ...(cost === undefined ? {} : { price: cost }) }),
          );
          for (const { index, headers, waitMs, ...more } of heard) {
            chooser.heard(index, outcome(more.answeredMs, more, headers));
            now += waitMs;
          }
          const place = chooser.choose(targets, { tokens: 100, needs: [] }, drawOf(seed));
          expect(targets[place]).toBeDefined();
        },
      ),
    );
  });

  it.skipIf(definition === price)('still tries each target now and then, however bad it is', () => {
    const chooser = made(definition);
    for (let at = 0; at < 50; at += 1) {
      chooser.heard(0, outcome(10));
      chooser.heard(1, outcome(9000, { status: 429 }, { 'retry-after': '600' }));
    }
    const [, bad = 0] = choices(chooser, [target(0), target(1, { inFlight: 1000 })]);
    expect(bad / 2000).toBeGreaterThan(0.01);
    expect(bad / 2000).toBeLessThan(0.04);
  });
});

describe('latency', () => {
  it('avoids a target from its first slow answer, and returns to it after a long time', () => {
    const chooser = made(latency);
    for (const index of [0, 1]) chooser.heard(index, outcome(200));
    chooser.heard(0, outcome(3000));
    const [slow = 0, fast = 0] = choices(chooser, [target(0), target(1)]);
    expect(slow).toBeLessThan(fast / 10);
    now += 60_000;
    chooser.heard(1, outcome(200));
    expect(choices(chooser, [target(0), target(1)])[0]).toBeGreaterThan(1900);
  });

  it('treats requests in flight as answers still to wait for', () => {
    const chooser = made(latency);
    chooser.heard(0, outcome(100));
    chooser.heard(1, outcome(150));
    const [busy = 0, idle = 0] = choices(chooser, [target(0, { inFlight: 4 }), target(1)]);
    expect(busy).toBeLessThan(idle / 10);
  });

  it('does not treat a fast failure as a fast answer', () => {
    const chooser = made(latency);
    chooser.heard(0, outcome(1, { status: 500 }));
    chooser.heard(1, outcome(800));
    const [failing = 0, slow = 0] = choices(chooser, [target(0), target(1)]);
    expect(failing).toBeLessThan(slow / 10);
  });
});

describe('least-busy', () => {
  it("weighs the requests in flight by the target's weight", () => {
    const [one = 0, other = 0] = choices(made(leastBusy), [
      target(0, { inFlight: 3 }),
      target(1, { inFlight: 5, weight: 4 }),
    ]);
    expect(one).toBeLessThan(other / 10);
  });
});

describe('headroom', () => {
  const limited = (remaining: string) => ({
    'x-ratelimit-limit-tokens': '1000',
    'x-ratelimit-remaining-tokens': remaining,
    'x-ratelimit-reset-tokens': '6m0s',
  });

  it('draws by the remaining capacity until the window ends', () => {
    const chooser = made(headroom);
    chooser.heard(0, outcome(1, {}, limited('100')));
    chooser.heard(1, outcome(1, {}, limited('900')));
    const [scarce = 0, plenty = 0] = choices(chooser, [target(0), target(1)]);
    expect(plenty / scarce).toBeGreaterThan(6);
    now += 6 * 60_000;
    const [first = 0, second = 0] = choices(chooser, [target(0), target(1)]);
    expect(first / second).toBeGreaterThan(0.8);
  });

  it("reads Anthropic's limits, and avoids a target after a 429 until its retry-after has elapsed", () => {
    const chooser = made(headroom);
    chooser.heard(0, outcome(1, { status: 429 }, { 'retry-after': '30' }));
    chooser.heard(
      1,
      outcome(
        1,
        {},
        {
          'anthropic-ratelimit-input-tokens-limit': '1000',
          'anthropic-ratelimit-input-tokens-remaining': '10',
          'anthropic-ratelimit-input-tokens-reset': new Date(Date.UTC(2030, 0, 1) + now + 60_000).toISOString(),
        },
      ),
    );
    const [refused = 0, left = 0] = choices(chooser, [target(0), target(1)]);
    expect(refused).toBeLessThan(left / 10);
    now += 30_000;
    const [back = 0, scarce = 0] = choices(chooser, [target(0), target(1)]);
    expect(scarce).toBeLessThan(back / 10);
  });

  it('draws by share and weight even with the largest weights that a plan can have', () => {
    const chooser = made(headroom);
    chooser.heard(0, outcome(1, {}, limited('500')));
    const [half = 0, whole = 0] = choices(chooser, [target(0, { weight: 2 ** 52 }), target(1, { weight: 2 ** 51 })]);
    expect(half / whole).toBeGreaterThan(0.8);
    expect(half / whole).toBeLessThan(1.25);
  });

  it('draws by weight if no target has capacity left', () => {
    const chooser = made(headroom);
    for (const index of [0, 1]) chooser.heard(index, outcome(1, { status: 429 }));
    const [one = 0, other = 0] = choices(chooser, [target(0, { weight: 3 }), target(1)]);
    expect(one / other).toBeGreaterThan(2);
  });
});

describe('price', () => {
  it('chooses the cheapest target, and one without a price only if no target has a price', () => {
    const chooser = made(price);
    expect(choices(chooser, [target(0, { price: 0.2 }), target(1, { price: 0.1 }), target(2)])).toEqual([0, 2000, 0]);
    const [one = 0, other = 0] = choices(chooser, [target(0), target(1)]);
    expect(Math.min(one, other)).toBeGreaterThan(800);
  });
});
