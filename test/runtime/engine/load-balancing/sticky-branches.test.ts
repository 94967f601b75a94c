import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { Run } from '../../../../runtime/engine/call/run.ts';
import type { BranchFacts } from '../../../../runtime/engine/load-balancing/branch-facts.ts';
import { hashText, rendezvous } from '../../../../runtime/engine/load-balancing/rendezvous.ts';
import { StickyBranches, type StickyOptions } from '../../../../runtime/engine/load-balancing/sticky-branches.ts';
import { keyReader } from '../../../../runtime/engine/load-balancing/sticky-key.ts';
import { Balances } from '../../../../runtime/in-memory/balances.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { sampleExchange, toTenant } from '../../../support/in-process/sample-exchange.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const ttlS = 10;
/** Their indices are not their places, as if there were branches without a weight. */
const branches: readonly BranchFacts[] = [1, 2, 4].map((index) => ({
  ...{ index, weight: index, name: `branch ${index}`, hashed: hashText(`branch ${index}`), target: undefined },
}));
const indices = branches.map(({ index }) => index);
const ttlMs = ttlS * 1000;

interface Step {
  readonly tenant: string;
  /** Undefined for a request without a key. */
  readonly key: string | undefined;
  readonly usable: readonly number[];
  /** The branch that a chooser would choose, as a place among the usable ones. */
  readonly choice: number;
  readonly passMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  tenant: fc.constantFrom('a', 'b'),
  key: fc.constantFrom('x', 'y', undefined),
  usable: fc.subarray([...indices], { minLength: 1 }),
  choice: fc.nat(2),
  passMs: fc.constantFrom(0, 1, ttlMs / 2, ttlMs - 1, ttlMs),
});

const requestOf = ({ tenant, key }: Pick<Step, 'tenant' | 'key'>): Run =>
  new Run(
    sampleExchange(key === undefined ? {} : { user: key }, { principal: { tenant: toTenant(tenant) } }),
    undefined,
  );

/** The same in plain words: a key stays where it was last, for as long as that is usable and it is not at its own branch too late. */
const createModel = (byWeight: boolean) => {
  const last = new Map<string, { readonly index: number; readonly until: number }>();
  return ({ tenant, key, usable, choice }: Step, now: number): number => {
    const chosen = usable[choice % usable.length] ?? 0;
    if (key === undefined) return chosen;
    const text = `${tenant}\n${key}`;
    const found = last.get(text);
    const known = found !== undefined && found.until > now && usable.includes(found.index) ? found.index : undefined;
    const among = (some: readonly number[]): number | undefined =>
      byWeight
        ? rendezvous(
            hashText(text),
            branches.filter(({ index }) => some.includes(index)),
          )
        : undefined;
    const own = among(indices);
    const index = known ?? among(usable) ?? chosen;
    last.set(text, { index, until: index === own ? Number.POSITIVE_INFINITY : now + ttlMs });
    return index;
  };
};

/** The sticky keys of the branches, on a clock of their own. */
const createSticky = (byWeight: boolean, more: Partial<StickyOptions> = {}) => {
  const clock = createVirtualClock();
  const balances = new Balances({ clock, log: () => {} });
  const sticky = new StickyBranches({
    ...{ sticky: { by: 'user', ttlS }, name: 'balance', branches, byWeight, balances },
    ...more,
  });
  return { clock, balances, sticky };
};

const never = (): never => {
  throw new Error('Nothing else chooses.');
};

describe('the branches of sticky keys', () => {
  it.each([true, false])(
    'are those of their last requests, as long as these may be called, and otherwise by weight: %s',
    (byWeight) => {
      fc.assert(
        fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
          const { clock, sticky } = createSticky(byWeight);
          const model = createModel(byWeight);
          for (const each of steps) {
            clock.advance(each.passMs);
            const { usable, choice } = each;
            const found = sticky.find(requestOf(each), usable, () => usable[choice % usable.length] ?? 0);
            expect(found).toBe(model(each, clock.monotonic()));
          }
        }),
        lawRuns,
      );
    },
  );

  it('do not change back when a branch that they left may be called again', () => {
    const { sticky } = createSticky(true);
    const find = (usable: readonly number[]): number =>
      sticky.find(requestOf({ tenant: 'a', key: 'x' }), usable, never);
    const own = find(indices);
    const other = find(indices.filter((index) => index !== own));
    expect(other).not.toBe(own);
    expect(find(indices)).toBe(other);
    expect(find([own])).toBe(own);
    expect(find(indices)).toBe(own);
  });

  it('take no memory while the keys are at the branches that follow from the weights', () => {
    const { balances, sticky } = createSticky(true);
    const run = requestOf({ tenant: 'a', key: 'x' });
    const own = sticky.find(run, indices, never);
    expect(balances.remembered.size).toBe(0);
    sticky.find(
      run,
      indices.filter((index) => index !== own),
      never,
    );
    expect(balances.remembered.size).toBe(1);
    sticky.find(run, [own], never);
    expect(balances.remembered.size).toBe(0);
  });

  it('are remembered for each load balance, and for a changed one as far as it has the same branches', () => {
    const first = createSticky(false);
    const { balances } = first;
    const run = requestOf({ tenant: 'a', key: 'x' });
    expect(first.sticky.find(run, indices, () => 2)).toBe(2);
    expect(createSticky(false, { balances }).sticky.find(run, indices, never)).toBe(2);
    expect(createSticky(false, { balances, name: 'other' }).sticky.find(run, indices, () => 4)).toBe(4);
    const moved = branches.map((branch) => ({ ...branch, index: branch.index + 1 }));
    expect(createSticky(false, { balances, branches: moved }).sticky.find(run, [2, 3, 5], never)).toBe(3);
  });

  it('are not remembered if something else chooses a branch that is not among them', () => {
    const { balances, sticky } = createSticky(false);
    expect(sticky.find(requestOf({ tenant: 'a', key: 'x' }), indices, () => 7)).toBe(7);
    expect(balances.remembered.size).toBe(0);
  });
});

describe('the key of a request', () => {
  const body = (body: JsonObject): Exchange => sampleExchange(body);
  const labelled = (metadata: object): Exchange =>
    sampleExchange({}, { facts: { ...sampleExchange().facts, metadata: metadata as Record<string, string> } });

  it.each<[string, string, Exchange, string | undefined]>([
    ['the user of OpenAI', 'user', body({ user: 'a' }), 'a'],
    ['its safety identifier', 'user', body({ safety_identifier: 'b' }), 'b'],
    ['the user of Anthropic', 'user', body({ metadata: { user_id: 'c' } }), 'c'],
    ['the first of them', 'user', body({ user: 'a', safety_identifier: 'b', metadata: { user_id: 'c' } }), 'a'],
    ['the second if there is no first', 'user', body({ safety_identifier: 'b', metadata: { user_id: 'c' } }), 'b'],
    ['a number', 'user', body({ user: 7 }), '7'],
    ['nothing for a user that is no value', 'user', body({ user: {} }), undefined],
    ['nothing for metadata that is a list', 'user', body({ metadata: ['c'] }), undefined],
    ['nothing without a user', 'user', body({}), undefined],
    [
      'nothing on a path that belongs to no dialect',
      'user',
      sampleExchange({ user: 'a' }, { route: { operation: 'opaque' } }),
      undefined,
    ],
    ['its metadata', 'metadata.session', labelled({ session: 's' }), 's'],
    ['a truth value in its metadata', 'metadata.session', labelled({ session: false }), 'false'],
    ['metadata with a dot', 'metadata.a.b', labelled({ 'a.b': 's' }), 's'],
    ['nothing for null', 'metadata.session', labelled({ session: null }), undefined],
    ['nothing for an inherited name', 'metadata.session', labelled(Object.create({ session: 's' })), undefined],
    [
      'the beginning of its conversation',
      'prompt-prefix',
      body({ messages: [{ role: 'user', content: 'Hi' }] }),
      '2 Hi',
    ],
    ['nothing for a body without a conversation', 'prompt-prefix', body({ query: 'q' }), undefined],
  ])('is %s', (_, by, exchange, key) => {
    expect(keyReader(by)(exchange)).toBe(key);
  });
});
