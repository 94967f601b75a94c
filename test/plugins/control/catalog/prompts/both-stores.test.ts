import { expect, it } from 'vitest';
import { ensureFirst } from '../../../../../plugins/control/access/keys/first-key.ts';
import { createConfigService } from '../../../../../plugins/control/catalog/configs/config-service.ts';
import { createIncludedPartials } from '../../../../../plugins/control/catalog/prompts/included-partials.ts';
import { labels } from '../../../../../plugins/control/catalog/prompts/labels.ts';
import { createPartialService } from '../../../../../plugins/control/catalog/prompts/partial-service.ts';
import { createPromptService } from '../../../../../plugins/control/catalog/prompts/prompt-service.ts';
import { createPromptFinder } from '../../../../../plugins/control/catalog/prompts/prompts-of.ts';
import type { ControlParts } from '../../../../../plugins/control/kernel/resource/control-parts.ts';
import { ResourceService } from '../../../../../plugins/control/kernel/resource/resource-service.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { OrganisationId, TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { nothingSaved } from '../../../../../schema/config/saved.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { resourceParts } from '../../support/resource-parts.ts';

const view = { saved: { ...nothingSaved, virtualKeys: { key: { provider: 'echo' } } } };

/** Returns the services with which one process handles the prompts of the workspace `default`. */
const readProcess = async (store: Store) => {
  await ensureFirst(store, { now: Date.now() });
  const { id, organisation_id } = await store.db
    .selectFrom('workspaces')
    .select(['id', 'organisation_id'])
    .executeTakeFirstOrThrow();
  const tenant = id as TenantId;
  const overlay = { ...view, configNames: () => [] };
  const parts = { store, now: Date.now, overlay, readView: async () => view };
  const included = createIncludedPartials(1_000_000);
  return {
    caller: { tenant, organisation: organisation_id as OrganisationId },
    prompts: createPromptService(parts, included),
    partials: createPartialService(parts, included),
    labels: new ResourceService(labels, await resourceParts(store)),
    find: createPromptFinder({ store })(tenant).find,
  };
};

const content = { string: '{{>rules}} {{>rules@latest}} {{>rules@1}}', parameters: {}, virtual_key: 'key' };

onEachStore((newStore) => {
  it('every reference finds the version that it names, even in another process', async () => {
    const open = await newStore();
    const { caller, prompts, partials, labels } = await readProcess(await open());
    const { find } = await readProcess(await open());
    await partials.create(caller, { name: 'Rules', slug: 'rules', string: 'one' });
    await prompts.create(caller, { name: 'P', slug: 'p', ...content });
    const rendered = async (reference: string) => (await find(reference))?.render({});
    expect(await rendered('p')).toEqual({ prompt: 'one one one' });
    await partials.update(caller, 'rules', { string: 'two' });
    expect(await rendered('p')).toEqual({ prompt: 'one two one' });
    await partials.publish(caller, 'rules', 2);
    expect(await rendered('p')).toEqual({ prompt: 'two two one' });

    const { row: label } = await labels.create(caller, { name: 'live' });
    await prompts.update(caller, 'p', { patch: true, string: 'second' });
    await prompts.label(caller, 'p', { label: label.id, version: 2 });
    expect(await rendered('p@live')).toEqual({ prompt: 'second' });
    expect(await rendered('p@latest')).toEqual({ prompt: 'second' });
    expect(await rendered('p@1')).toEqual({ prompt: 'two two one' });
    await prompts.publish(caller, 'p', 2);
    expect(await rendered('p')).toEqual({ prompt: 'second' });
    expect(await find('p@3')).toBeUndefined();

    await expect(partials.remove(caller, 'rules')).resolves.toBeUndefined();
    await expect(prompts.publish(caller, 'p', 1)).rejects.toMatchObject({ report: { code: 'invalid-input' } });
    await prompts.remove(caller, 'p');
    expect(await find('p')).toBeUndefined();
  });

  it('a search finds configs, prompts and partials by their names and slugs, apart from the case of ASCII letters', async () => {
    const store = await (await newStore())();
    const { caller, prompts, partials } = await readProcess(store);
    const configs = createConfigService((await resourceParts(store)) as ControlParts);
    const lists = [
      [
        configs.list,
        (name: string, slug: string) =>
          configs.create(caller, { name, slug, config: { provider: 'echo' }, is_default: false }),
      ],
      [partials.list, (name: string, slug: string) => partials.create(caller, { name, slug, string: 'x' })],
      [prompts.list, (name: string, slug: string) => prompts.create(caller, { name, slug, ...content, string: 'x' })],
    ] as const;
    for (const [list, create] of lists) {
      await create('Team A', 'one');
      await create('50 % of B', 'TEAM_two');
      await create('ÄRGER', 'three');
      const find = async (search: string) => {
        const { total, rows } = await list(caller, { limit: 2, offset: 0, search });
        return [total, rows.map(({ slug }) => slug)];
      };
      expect(await find('tEAM')).toEqual([2, ['TEAM_two', 'one']]);
      expect(await find('m_t')).toEqual([1, ['TEAM_two']]);
      expect(await find('%')).toEqual([1, ['TEAM_two']]);
      expect(await find('ärger')).toEqual([0, []]);
      expect(await find('')).toEqual([3, ['three', 'TEAM_two']]);
    }
  });

  it('a partial in use is not deleted, and concurrent changes of several processes are all applied', async () => {
    const open = await newStore();
    const one = await readProcess(await open());
    const other = await readProcess(await open());
    const { caller } = one;
    await one.partials.create(caller, { name: 'Rules', slug: 'rules', string: 'one' });
    const made = await Promise.allSettled(
      [one, other].map(({ prompts }) => prompts.create(caller, { name: 'P', slug: 'p', ...content })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(other.partials.remove(caller, 'rules')).rejects.toMatchObject({ report: { code: 'conflict' } });
    await Promise.all(
      [one, other].map(({ prompts }, at) => prompts.update(caller, 'p', { patch: true, string: `text ${at}` })),
    );
    const { total, rows } = await one.prompts.versions(caller, 'p', { limit: 10, offset: 0 });
    expect([total, rows.map(({ number }) => number)]).toEqual([3, [3, 2, 1]]);
    await Promise.all([one, other].map(({ partials }) => partials.update(caller, 'rules', { string: 'next' })));
    expect((await one.partials.versions(caller, 'rules', { limit: 10, offset: 0 })).total).toBe(3);
    await one.labels.create(caller, { name: 'live' });
    await Promise.all(
      [one, other].map(({ prompts }, at) => prompts.label(caller, 'p', { label: 'live', version: at + 1 })),
    );
    expect([1, 2]).toContain((await one.find('p@live'))?.version);
  });
});
