import { describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { followedTenants } from './support/followed-tenants.ts';
import { findKey, newWorldIn, readText, readView, rejection, unavailable } from './support/view-world.ts';

onEachStore((newStore) => {
  const newWorld = (): ReturnType<typeof newWorldIn> => newWorldIn(newStore);

  describe('an unavailable store', () => {
    it('leaves everything usable that was read, and makes all other reads fail', async () => {
      const { saving, tenant, other, start } = await newWorld();
      for (const each of [tenant, other]) await saving.provider(each, { slug: 'main', key: 'sk-1' });
      await saving.config(tenant, { slug: 'prod', key: 'sk-1' });
      await saving.config(tenant, { slug: 'cold', key: 'sk-1' });
      const process = await start();
      const view = await readView(process, tenant);
      await view.config('prod')?.text();
      process.answers = 'with an error';
      await process.pass(250);
      expect(process.tenants.status().isUnavailable).toBe(true);
      expect(process.tenants.view(tenant)).toBe(view);
      expect(await readText(view, 'prod')).toMatchObject({ api_key: 'sk-1' });
      expect(await rejection(view.config('cold')?.text())).toMatchObject(unavailable);
      expect(await rejection(process.tenants.view(other))).toMatchObject(unavailable);
      expect(await rejection(process.tenants.viewNow(tenant))).toMatchObject(unavailable);
      expect(process.tenants.view('acme' as TenantId)).toBeUndefined();
    });

    it('that does not answer delays a known tenant with a change once, by half a second', async () => {
      const { saving, tenant, other, start } = await newWorld();
      for (const each of [tenant, other]) await saving.provider(each, { slug: 'main', key: 'sk-1' });
      const process = await start();
      const view = await readView(process, tenant);
      await saving.provider(tenant, { slug: 'main', key: 'sk-2' });
      await process.pass(250);
      process.answers = 'never';
      const late = process.tenants.view(tenant);
      expect(late).toBeInstanceOf(Promise);
      await process.pass(500);
      expect(await late).toBe(view);
      expect(process.tenants.view(tenant)).toBe(view);
      const unread = rejection(process.tenants.view(other));
      await process.pass(5000);
      expect(await unread).toMatchObject(unavailable);
      expect(process.tenants.view(tenant)).toBe(view);
    });

    it('does not hide what this process wrote before the outage', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      await saving.config(tenant, { slug: 'new', key: 'sk-1' });
      await process.tenants.lookNow(tenant);
      process.answers = 'never';
      const view = process.tenants.view(tenant);
      await process.pass(500);
      expect((await view)?.configNames()).toEqual(['new']);
    });

    it('is followed again when it is back', async () => {
      const { saving, tenant, other, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      for (const answers of ['with an error', 'never'] as const) {
        process.answers = answers;
        await process.pass(250);
        await process.pass(5000);
        await saving.provider(tenant, { slug: 'main', key: answers });
        await saving.provider(other, { slug: 'main', key: answers });
        process.answers = 'truly';
        await process.pass(5000);
        await process.pass(250);
        expect(findKey(await readView(process, tenant), 'main')).toBe(answers);
        expect(findKey(await readView(process, other), 'main')).toBe(answers);
      }
    });

    it('leaves known tenants usable for no longer than the operator allows', async () => {
      const { saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start({ staleMs: 60_000 });
      const view = await readView(process, tenant);
      process.answers = 'with an error';
      await process.pass(60_000);
      expect(process.tenants.view(tenant)).toBe(view);
      await process.pass(1);
      expect(await rejection(process.tenants.view(tenant))).toMatchObject(unavailable);
      process.answers = 'truly';
      await process.pass(250);
      expect((await readView(process, tenant)).version).toBe(view.version);
    });

    it('that comes back in an earlier state is read again', async () => {
      const { store, saving, tenant, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      const process = await start();
      await readView(process, tenant);
      await store.write(async (writing) => {
        await writing.deleteFrom('providers').execute();
        await writing.deleteFrom('tenant_versions').execute();
        await writing.updateTable('feeds').set({ version: 1 }).execute();
      });
      await process.pass(250);
      expect(await process.tenants.view(tenant)).toBeUndefined();
    });

    it('makes the start of a process fail', async () => {
      const { store, saving } = await newWorld();
      const process = followedTenants(store, saving.sealer);
      process.answers = 'with an error';
      expect(await rejection(process.tenants.start())).toMatchObject(unavailable);
    });
  });
});
