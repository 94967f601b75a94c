import { describe, expect, it } from 'vitest';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import type { FollowedStore } from './support/followed-tenants.ts';
import { newWorldIn, readView, rejection, unavailable } from './support/view-world.ts';

onEachStore((newStore) => {
  const newWorld = (): ReturnType<typeof newWorldIn> => newWorldIn(newStore);

  describe('workspaces that are read ahead', () => {
    const settled = (process: FollowedStore, unread: number) =>
      expect.poll(() => process.tenants.status()).toMatchObject({ unread });

    it('are known with their configs without the store, including those that are created later', async () => {
      const { saving, organisation, tenant, other, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      await saving.config(tenant, { slug: 'saved', key: 'sk-2' });
      const process = await start({ maxAhead: 10 });
      await expect.poll(() => process.tenants.status()).toMatchObject({ tenants: 2, unread: 0 });
      await process.settled();
      const later = await saving.workspace(organisation);
      await process.tenants.lookNow();
      await expect.poll(() => process.tenants.status()).toMatchObject({ tenants: 3, unread: 0 });
      await process.settled();
      process.asked.length = 0;
      expect(process.tenants.view(tenant)).not.toBeInstanceOf(Promise);
      expect(await (await readView(process, tenant)).config('saved')?.text()).toContain('sk-2');
      expect([process.tenants.view(other), process.tenants.view(later)]).toEqual([undefined, undefined]);
      expect(process.asked).toEqual([]);
    });

    it('are the newest up to a limit, and the others are counted as unread', async () => {
      const { saving, organisation, other, start } = await newWorld();
      const third = await saving.workspace(organisation);
      const process = await start({ maxAhead: 2 });
      await settled(process, 1);
      await process.settled();
      process.asked.length = 0;
      expect([process.tenants.view(other), process.tenants.view(third)]).toEqual([undefined, undefined]);
      expect(process.asked).toEqual([]);
    });

    it('are fewer if memory is short, to leave room for those that requests need', async () => {
      const { saving, tenant, other, start } = await newWorld();
      await saving.provider(tenant, { slug: 'main', key: 'sk-1' });
      await saving.provider(other, { slug: 'main', key: 'sk-1' });
      const process = await start({ maxAhead: 10, maxBytes: 4000 });
      await settled(process, 1);
    });

    it('have their prompts as of the last change, even if a request saw that change first', async () => {
      const { saving, tenant, other, start } = await newWorld();
      const id = await saving.prompt(tenant, 'greeting');
      const process = await start({ maxAhead: 10 });
      const allRead = () =>
        expect.poll(() => process.tenants.status()).toMatchObject({ unread: 0, unreadPrompts: 0, tenants: 2 });
      await allRead();
      await saving.prompt(tenant, 'greeting');
      const view = await process.tenants.viewNow(tenant);
      await allRead();
      await process.settled();
      process.answers = 'with an error';
      const find = (reference: string, of = tenant) => process.tenants.findPrompts(of).find(reference);
      const names = ['greeting', `${id}@published`, 'greeting@latest', 'greeting@1', `${id}@2`];
      const found = await Promise.all(names.map(async (name) => (await find(name))?.version));
      expect(found).toEqual([1, 1, 2, 1, 2]);
      expect([...(await view.prompts(names)).keys()]).toEqual(names);
      for (const unknown of [find('greeting@3'), find('greeting@live'), find('nobody'), find('greeting', other)])
        expect(await rejection(unknown)).toMatchObject(unavailable);
    });

    it('have prompts that are counted as unread if there is no room for them', async () => {
      const { saving, tenant, other, start } = await newWorld();
      for (const each of [tenant, other]) await saving.prompt(each, 'greeting');
      const process = await start({ maxAhead: 10, maxBytes: 4000 });
      await expect.poll(() => process.tenants.status()).toMatchObject({ unread: 1, unreadPrompts: 1 });
    });
  });
});
