import { describe, expect, it } from 'vitest';
import type { TenantsOptions } from '../../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import { nothingSaved } from '../../../../../schema/config/saved.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { findKey, newWorldIn, readView } from './support/view-world.ts';

onEachStore((newStore) => {
  const newWorld = (): ReturnType<typeof newWorldIn> => newWorldIn(newStore);

  describe('the version of a view', () => {
    it('changes with everything that plans are built from, and with nothing else', async () => {
      const { saving, organisation, tenant, start } = await newWorld();
      const integration = await saving.integration(organisation, { slug: 'i', key: 'sk-i' });
      await saving.provider(tenant, { slug: 'shared', integration });
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      const versionAfter = async (change: () => Promise<unknown>): Promise<string> => {
        await change();
        await process.pass(250);
        return (await readView(process, tenant)).version;
      };
      const changes = [
        () => saving.provider(tenant, { slug: 'main', key: 'sk-2' }),
        () => saving.provider(tenant, { slug: 'vk', key: 'sk-1', kind: 'virtual-key' }),
        () =>
          saving.change(organisation, (writing) =>
            writing.updateTable('integrations').set({ settings: '{}' }).where('id', '=', integration).execute(),
          ),
        () => saving.guardrail({ organisation }, { slug: 'g', secret: 's' }),
        () => saving.guardrail({ organisation, workspace: tenant }, { slug: 'g', secret: 's' }),
        () => saving.prompt(tenant, 'greeting'),
        () => saving.prompt(tenant, 'greeting'),
        () => saving.settings(tenant, { input_guardrails: ['g'] }),
        () => saving.remove('providers', tenant, 'main'),
      ];
      const versions = [(await readView(process, tenant)).version];
      for (const change of changes) versions.push(await versionAfter(change));
      expect(new Set(versions).size).toBe(changes.length + 1);
      const same = [
        () => saving.config(tenant, { slug: 'prod', key: 'sk-1' }),
        () => saving.settings(tenant, { input_guardrails: ['g'], config: 'prod' }),
        () =>
          saving.change(tenant, (writing) => writing.updateTable('providers').set({ note: 'n', name: 'm' }).execute()),
        () => saving.change(undefined, async () => {}),
      ];
      for (const change of same) expect(await versionAfter(change)).toBe(versions.at(-1));
    });
  });

  describe('a change', () => {
    it('by one process is seen by another at the next poll, which reads only that tenant', async () => {
      const { saving, tenant, other, start } = await newWorld();
      for (const each of [tenant, other]) await saving.provider(each, { slug: 'main', key: 'sk-1' });
      const process = await start();
      const [mine, theirs] = [await readView(process, tenant), await readView(process, other)];
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      await process.pass(250);
      process.asked.length = 0;
      expect(process.tenants.view(other)).toBe(theirs);
      expect(process.asked).toEqual([]);
      expect(findKey(await readView(process, tenant), 'main')).toBe('sk-2');
      expect(process.asked.filter((table) => table === 'providers')).toHaveLength(1);
      expect(findKey(mine, 'main')).toBe('sk-1');
    });

    it('is also seen by a process that runs on the system clock', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start({ clock: systemClock });
      await readView(process, tenant);
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      const key = async (): Promise<string | undefined> => findKey(await readView(process, tenant), 'main');
      await expect.poll(key).toBe('sk-2');
    });

    it('is seen immediately if the store announces it', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      process.announce();
      await process.settled();
      expect(findKey(await readView(process, tenant), 'main')).toBe('sk-2');
    });

    it('of an organisation is seen in its workspaces and in no others', async () => {
      const { saving, organisation, tenant, start } = await newWorld();
      const foreign = await saving.workspace(await saving.organisation());
      const integration = await saving.integration(organisation, { slug: 'i', key: 'sk-i' });
      await saving.provider(tenant, { slug: 'shared', integration });
      await saving.provider(foreign, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      const theirs = await readView(process, foreign);
      await saving.change(organisation, (writing) =>
        writing.deleteFrom('providers').where('workspace_id', '=', tenant).execute(),
      );
      await process.pass(250);
      expect(process.tenants.view(foreign)).toBe(theirs);
      expect(await process.tenants.view(tenant)).toBeUndefined();
    });

    it('that names no tenant makes the process read all tenants again', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      await saving.change(undefined, (writing) => writing.deleteFrom('providers').execute());
      await process.pass(250);
      expect(await process.tenants.view(tenant)).toBeUndefined();
    });

    it('is seen by viewNow without waiting', async () => {
      const { saving, tenant, start } = await newWorld();
      const process = await start();
      expect((await process.tenants.viewNow(tenant)).saved).toEqual({
        ...nothingSaved,
        prompts: { slugs: [], found: {} },
      });
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      expect(findKey(await process.tenants.viewNow(tenant), 'main')).toBe('sk-1');
      expect(findKey(await readView(process, tenant), 'main')).toBe('sk-1');
    });

    it('is seen by a caller of viewNow that waits for a read that began before it', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const gate = Promise.withResolvers<void>();
      const open: TenantsOptions['sealer']['open'] = async (sealed, at) => {
        await gate.promise;
        return saving.sealer.open(sealed, at);
      };
      const process = await start({ sealer: { open } });
      const early = process.tenants.view(tenant);
      await process.settled();
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      const late = process.tenants.viewNow(tenant);
      await process.settled();
      gate.resolve();
      await early;
      expect(findKey(await late, 'main')).toBe('sk-2');
    });

    it('during the read of a tenant is included in that read', async () => {
      const { store, saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      let writes = 0;
      const versions = async () => {
        const before = await store.versions();
        writes += 1;
        // After the version has been read for the first time, so that the rows are newer than it.
        if (writes === 2) await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
        return before;
      };
      const process = await start({ store: { db: store.db, versions, watch: () => () => {} } });
      expect(findKey(await readView(process, tenant), 'main')).toBe('sk-2');
      expect(writes).toBe(3);
    });
  });
});
