import { expect, it } from 'vitest';
import { ensureFirst } from '../../../../../plugins/control/access/keys/first-key.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { PolicyRow } from '../../../../../plugins/control/kernel/store/tables.ts';
import { FollowedPolicies } from '../../../../../plugins/control/metering/policies/create-policy-view.ts';
import { insertPolicy, replacePolicy } from '../../../../../plugins/control/metering/policies/policy-service.ts';
import { validateRate, validateUsage } from '../../../../../plugins/control/metering/policies/validate-policy.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { rate, usage } from './support.ts';

const followed = async (store: Store, say: (text: string) => void = () => {}): Promise<FollowedPolicies> => {
  const view = new FollowedPolicies({ store, clock: systemClock, say });
  await view.start();
  return view;
};

const now = Date.now();

const readPlace = async (store: Store) => {
  await ensureFirst(store, { now });
  const { id, organisation_id } = await store.db.selectFrom('workspaces').selectAll().executeTakeFirstOrThrow();
  return { workspace: id, organisation: organisation_id };
};

const rowIn = (place: { workspace: string; organisation: string }, draft: object): PolicyRow =>
  ({
    ...draft,
    ...{ id: newId(now), organisation_id: place.organisation, workspace_id: place.workspace, status: 'active' },
    ...{ created_at: now, updated_at: now },
  }) as PolicyRow;

onEachStore((newStore) => {
  it('another process follows policies, and keeps the same list until it changes', async () => {
    const open = await newStore();
    const [here, there] = [await open(), await open()];
    const place = await readPlace(here);
    const view = await followed(there);
    const list = () => view.findPolicies(place.workspace, place.organisation);
    expect(list()).toEqual([]);
    const first = rowIn(place, { ...validateUsage(usage, now), kind: 'usage', name: 'Team' });
    await here.write((writing) => insertPolicy(here, writing, first));
    await expect.poll(list).toEqual([
      {
        ...{ id: first.id, name: 'Team', kind: 'usage', unit: 'nanoUsd', limit: 10_000_000_000 },
        ...{ reset: { every: 'never' }, ifUnknown: 'allow', groupBy: ['api_key'] },
        conditions: [{ key: 'provider', values: ['openai'], excludes: [] }],
      },
    ]);
    const before = list();
    expect(list()).toBe(before);
    // A change of another tenant leaves the list as it is.
    await here.write((writing) => here.bump(writing, 'policies', 'somebody-else'));
    const { policies: version } = await here.versions();
    await expect.poll(() => view.version()).toBe(version);
    expect(list()).toBe(before);
    const second = rowIn(place, { ...validateRate(rate), kind: 'rate' });
    await here.write((writing) => insertPolicy(here, writing, second));
    await expect.poll(() => list().map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(list()[1]).toMatchObject({ name: second.id, unit: 'requests', limit: 60, reset: { every: 'minute' } });
    await here.write((writing) => replacePolicy(here, writing, { ...first, status: 'archived' }));
    await expect.poll(() => list().map(({ id }) => id)).toEqual([second.id]);
    // After a change without a tenant, everything is read again, but the list is still the same.
    const last = list();
    await here.write((writing) => here.bump(writing, 'policies'));
    await expect.poll(async () => view.version() === (await here.versions()).policies).toBe(true);
    expect(list()).toBe(last);
    expect(view.findPolicies('nobody', 'nowhere')).toEqual([]);
    view.close();
  });

  it('a policy whose conditions exclude its own workspace is reported, because it covers no request', async () => {
    const store = await (await newStore())();
    const place = await readPlace(store);
    const other = newId(now);
    for (const [name, value] of [
      ['never', [other]],
      ['always', [other, place.workspace]],
      ['any', ['*']],
    ] as const) {
      const conditions = [{ key: 'workspace_id', value }];
      const row = rowIn(place, { ...validateRate({ ...rate, conditions }), kind: 'rate', name });
      await store.write((writing) => insertPolicy(store, writing, row));
    }
    const said: string[] = [];
    (await followed(store, (text) => said.push(text))).close();
    expect(said).toEqual([
      expect.stringMatching(/^gw: The policy "never" \([\da-f-]+\) covers no request, .* Change or delete it\.\n$/),
    ]);
  });
});
