import { describe, expect, it } from 'vitest';
import { branchFacts } from '../../../../runtime/engine/load-balancing/branch-facts.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import type { LoadbalanceNode } from '../../../../schema/plan/plan.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { sampleLeaf } from '../../../support/plans/sample-plan.ts';
import { at, balance, called, type OwnConfig, question, running } from './own-chooser.ts';

const users = Array.from({ length: 12 }, (_, at) => `user ${at}`);
const byUser = { sticky: { by: 'user' } };
const byWeight = { strategy: { mode: 'loadbalance', ...byUser }, targets: [at('a'), at('b'), at('c')] };
const chosen = {
  ...balance(at('a'), at('b'), at('c')),
  strategy: { mode: 'loadbalance', balance: 'test.own', ...byUser },
};

/** Sends a request for each user, or several without one, and returns the hosts that were called. */
const hostsFor = async (
  world: OwnConfig,
  named: readonly (string | undefined)[],
  seed = 0,
): Promise<readonly string[]> => {
  const before = called(world).length;
  for (const [at, user] of named.entries()) {
    const body = user === undefined ? question : { ...question, user };
    expect(await world.handle(sampleExchange(body, { seed: seed + at }))).toMatchObject({ status: 200 });
  }
  return called(world).slice(before);
};

describe('requests with a sticky key', () => {
  it('are sent to the same target by every gateway, whatever is drawn', async () => {
    const hosts = await hostsFor(running(byWeight), users);
    expect(new Set(hosts)).toEqual(new Set(['a', 'b', 'c']));
    expect(await hostsFor(running(byWeight), users, 100)).toEqual(hosts);
  });

  it('are sent where a chooser sent the first of them', async () => {
    let last = 0;
    const world = running(chosen, {
      choose: (targets) => {
        last += 1;
        return last % targets.length;
      },
    });
    const hosts = await hostsFor(world, users);
    expect(hosts.slice(0, 4)).toEqual(['b', 'c', 'a', 'b']);
    expect(await hostsFor(world, users)).toEqual(hosts);
    expect(world.offered).toHaveLength(users.length);
    expect(world.heard).toHaveLength(2 * users.length);
  });
});

describe('requests without the key', () => {
  const none = users.map(() => undefined);

  it('are drawn by weight', async () => {
    const drawn = { ...byWeight, strategy: { mode: 'loadbalance' } };
    expect(await hostsFor(running(byWeight), none)).toEqual(await hostsFor(running(drawn), none));
  });

  it('are each sent where the chooser says', async () => {
    const world = running(chosen);
    expect(await hostsFor(world, none)).toEqual(none.map(() => 'a'));
    expect(world.offered).toHaveLength(none.length);
  });
});

describe('the names of branches', () => {
  const namesOf = (...leaves: readonly [leaf: number, weight: number][]): readonly (readonly [number, string])[] => {
    const node = {
      kind: 'loadbalance',
      path: rootPointer,
      branches: leaves.map(([leaf, weight]) => ({ weight, node: sampleLeaf(leaf) })),
    } as unknown as LoadbalanceNode;
    return branchFacts(node, []).map(({ index, name }) => [index, name]);
  };

  it('do not depend on their places, and those of equal branches differ', () => {
    const names = namesOf([0, 1], [1, 1], [0, 1], [0, 1]);
    expect(new Set(names.map(([, name]) => name)).size).toBe(4);
    const [first, other, second, third] = names.map(([, name]) => name);
    expect(namesOf([1, 5], [0, 1], [0, 1], [2, 1], [0, 1]).map(([, name]) => name)).toEqual([
      ...[other, first, second],
      expect.any(String),
      third,
    ]);
  });

  it('are those of the branches that have a weight', () => {
    const [[, first] = []] = namesOf([0, 1]);
    expect(namesOf([0, 0], [0, 1])).toEqual([[1, first]]);
  });
});
