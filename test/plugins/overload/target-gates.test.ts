import { expect, it } from 'vitest';
import { TargetGates } from '../../../plugins/overload/target-gates.ts';
import type { TargetPlace } from '../../../plugins/sdk/overload/overload.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { sampleExchange, toTenant } from '../../support/in-process/sample-exchange.ts';
import { samplePlan } from '../../support/plans/sample-plan.ts';
import { placeRequest } from './simulated-target.ts';

const world = () => {
  const clock = createVirtualClock();
  const gates = new TargetGates(
    { limit: { min: 1, max: 1, initial: 1 }, line: { size: 5, bytes: 1000 }, waitMs: 1000 },
    { clock, random: () => 0, shed: () => {}, delayMs: () => 0 },
  );
  const enter = (account: string, plan = 'main'): TargetPlace | Promise<TargetPlace> => {
    const routing = { ...samplePlan(), name: plan };
    const exchange = sampleExchange({}, { principal: { tenant: toTenant('') }, plan: { routing, label: `${plan}@1` } });
    return gates.enter(placeRequest({ account, exchange }), 1);
  };
  return { clock, gates, enter };
};

const given = (place: TargetPlace | Promise<TargetPlace>): TargetPlace => {
  if (place instanceof Promise) throw new Error('It waits.');
  return place;
};

it('remembers a limited number of accounts, and keeps the counts of those that it has forgotten', async () => {
  const { clock, gates, enter } = world();
  const first = given(enter('first'));
  const second = enter('first');
  clock.advance(10);
  first.end();
  (await second).end();
  for (let at = 0; at < 1000; at += 1) given(enter(`other ${at}`)).end();
  // The first account is forgotten and has no limit any more, but its wait is still counted.
  expect(gates.list()).toMatchObject([{ plan: 'main', limit: 1000, open: 0, waiting: 0, waited: 1, waitedMs: 10 }]);
});

it('runs attempts without a limit if no account can be forgotten', () => {
  const { gates, enter } = world();
  for (let at = 0; at < 1000; at += 1) given(enter(`busy ${at}`));
  given(enter('one more'));
  given(enter('one more')).end();
  expect(gates.haveWaiting).toBe(false);
});

it('lists a limited number of targets by name', () => {
  const { gates, enter } = world();
  for (let at = 0; at < 150; at += 1) given(enter(`account ${at}`, `plan ${at}`));
  const listed = gates.list();
  expect(listed).toHaveLength(101);
  expect(listed.at(-1)).toMatchObject({ plan: '(other)', target: '(other)', open: 50 });
});
