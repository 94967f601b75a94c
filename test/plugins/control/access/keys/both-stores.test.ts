import { expect, it } from 'vitest';
import { createIdentity, type Identity } from '../../../../../plugins/control/access/keys/create-identity.ts';
import { ensureFirst } from '../../../../../plugins/control/access/keys/first-key.ts';
import type { ShownStatus } from '../../../../../plugins/control/access/keys/key-bodies.ts';
import { keyReader, principalMaker } from '../../../../../plugins/control/access/keys/key-principal.ts';
import { createKeyService, type KeyService } from '../../../../../plugins/control/access/keys/key-service.ts';
import { listKeys } from '../../../../../plugins/control/access/keys/key-store.ts';
import { keyHash } from '../../../../../plugins/control/access/keys/key-text.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { firstPage, refusal } from '../../support/key-world.ts';

const toService = (store: Store): KeyService => createKeyService({ store, now: Date.now, hasConfig: async () => true });

const readAdmin = async (store: Store) => {
  const first = await ensureFirst(store, { now: Date.now() });
  const record = await keyReader(store).byHash(keyHash(first.made === 'new' ? first.key : ''));
  if (record === undefined) throw new Error('The store is not new.');
  return principalMaker()(record);
};

const readIdentity = async (store: Store): Promise<Identity> => {
  const clock = {
    monotonic: () => performance.now(),
    wall: () => Date.now(),
    after: (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
  const { versions, watch } = store;
  const identity = createIdentity({ read: keyReader(store), versions, watch, clock });
  await identity.start();
  return identity;
};

onEachStore((newStore) => {
  it('only one of several processes that start for the first time at once creates the key', async () => {
    const open = await newStore();
    const stores = [await open(), await open(), await open()];
    const starts = await Promise.all([...stores, ...stores].map((store) => ensureFirst(store, { now: Date.now() })));
    expect(starts.filter(({ made }) => made === 'new')).toHaveLength(1);
    const [store] = stores;
    expect(await store?.db.selectFrom('organisations').selectAll().execute()).toHaveLength(1);
    expect(await store?.db.selectFrom('workspaces').selectAll().execute()).toHaveLength(1);
    expect(await store?.db.selectFrom('keys').selectAll().execute()).toHaveLength(1);
  });

  it('concurrent changes of several processes get distinct times, and another process sees them all', async () => {
    const open = await newStore();
    const [here, there, third] = [await open(), await open(), await open()];
    const admin = await readAdmin(here);
    const identity = await readIdentity(third);
    const [first, second] = [toService(here), toService(there)];
    const made = await Promise.all(
      [first, second, first, second].map(
        async (keys) => await keys.create(admin, { name: 'k', scopes: ['completions.write'] }),
      ),
    );
    const rows = await third.db.selectFrom('keys').select('updated_at').execute();
    expect(new Set(rows.map(({ updated_at }) => updated_at)).size).toBe(5);
    await expect
      .poll(async () => await Promise.all(made.map(async ({ key }) => (await identity.identify(key))?.keyId)))
      .toEqual(made.map(({ id }) => id));
    const revoked: string[] = [];
    identity.onRevoked((ids) => revoked.push(...ids));
    const [one, ...others] = made;
    await second.revoke(admin, one?.id ?? '');
    await expect.poll(() => identity.identify(one?.key ?? '')).toBeUndefined();
    expect(revoked).toEqual([one?.id]);
    for (const { id, key } of others) expect(identity.identify(key)).toMatchObject({ keyId: id });
    identity.close();
  });

  it('keys are listed by status even if 70,000 keys are exhausted', async () => {
    const store = await (await newStore())();
    const admin = await readAdmin(store);
    const keys = toService(store);
    const { id } = await keys.create(admin, { name: 'used up', scopes: [], workspace_id: 'default' });
    // More than the number of parameters that a statement can have in either database.
    const exhausted = [...Array.from({ length: 70_000 }, (_, at) => `key-${at}`), id];
    const listed = async (status: 'active' | 'exhausted') => {
      const filter = { status: { is: status, now: Date.now(), exhausted } };
      const { total, rows } = await listKeys(
        store,
        { organisation: admin.organisation },
        { filter, page: { limit: 100, offset: 0 } },
      );
      return [total, rows.map(({ name }) => name)];
    };
    expect(await listed('exhausted')).toEqual([1, ['used up']]);
    expect(await listed('active')).toEqual([1, ['admin']]);
  });

  it('keys are listed with the status that they are shown with, also once they have expired', async () => {
    const store = await (await newStore())();
    const admin = await readAdmin(store);
    const later = Date.now() + 7_200_000;
    const keys = createKeyService({ store, now: () => later, hasConfig: async () => true });
    const end = Math.floor(Date.now() / 1000) + 3600;
    const make = async (name: string, expires: boolean) => {
      const ends = expires ? { expires_at: end } : {};
      const { id } = await toService(store).create(admin, { name, scopes: [], workspace_id: 'default', ...ends });
      return id;
    };
    await make('active', false);
    await make('expired', true);
    await toService(store).revoke(admin, await make('revoked', false));
    await toService(store).revoke(admin, await make('revoked, which expired', true));
    const usedUp = [await make('exhausted', false), await make('exhausted, which expired', true)];
    await store.write(async (writing) => {
      await writing.updateTable('keys').set({ status: 'exhausted' }).where('id', 'in', usedUp).execute();
    });
    const shown = (await keys.list(admin, firstPage)).data.map(({ name, status }) => ({ name, status }));
    const listed = async (status: ShownStatus) => {
      const { total, data } = await keys.list(admin, { ...firstPage, status });
      expect(total).toBe(data.length);
      return data.map(({ name }) => name).sort();
    };
    expect(await listed('active')).toEqual(['active', 'admin']);
    expect(await listed('exhausted')).toEqual(['exhausted']);
    expect(await listed('expired')).toEqual(['exhausted, which expired', 'expired']);
    expect(await listed('revoked')).toEqual(['revoked', 'revoked, which expired']);
    for (const { name, status } of shown) expect(await listed(status)).toContain(name);
  });

  it('a search lists the keys whose names contain exactly its text, apart from the case of ASCII letters', async () => {
    const store = await (await newStore())();
    const admin = await readAdmin(store);
    const keys = toService(store);
    const names = ['Team A', 'team_b', 'TEAMxB', '100 %', '100', String.raw`back\slash`, 'ÄRGER', 'ärger', "it's"];
    for (const name of names) await keys.create(admin, { name, scopes: [], workspace_id: 'default' });
    const found = async (search: string) => {
      const { total, data } = await keys.list(admin, { ...firstPage, search });
      expect(total).toBe(data.length);
      return data.map(({ name }) => name).reverse();
    };
    expect(await found('tEaM')).toEqual(['Team A', 'team_b', 'TEAMxB']);
    expect(await found('m_b')).toEqual(['team_b']);
    expect(await found('%')).toEqual(['100 %']);
    expect(await found('\\')).toEqual([String.raw`back\slash`]);
    expect(await found('Ärg')).toEqual(['ÄRGER']);
    expect(await found('äRG')).toEqual(['ärger']);
    expect(await found("'")).toEqual(["it's"]);
    expect(await found('')).toEqual(['admin', ...names]);
    expect(await found('none')).toEqual([]);
  });

  it('a list of ids selects the visible keys with them, and no others', async () => {
    const store = await (await newStore())();
    const admin = await readAdmin(store);
    const keys = toService(store);
    const make = async (name: string) => (await keys.create(admin, { name, scopes: [], workspace_id: 'default' })).id;
    const [one, , three] = [await make('one'), await make('two'), await make('three')];
    const found = async (ids: string, query: object = {}) => {
      const { total, data } = await keys.list(admin, { ...firstPage, ids, ...query });
      expect(total).toBe(data.length);
      return data.map(({ name }) => name);
    };
    expect(await found(`${one},${three},gateway,`)).toEqual(['three', 'one']);
    expect(await found(`${one},${three}`, { search: 'ONE' })).toEqual(['one']);
    expect(await found(one, { status: 'revoked' })).toEqual([]);
    expect(await found('none')).toEqual([]);
    expect(await found('')).toEqual([]);
  });

  it('pages of a search contain each key once, even if keys are created in between', async () => {
    const store = await (await newStore())();
    const admin = await readAdmin(store);
    const keys = toService(store);
    const make = (name: string) => keys.create(admin, { name, scopes: [], workspace_id: 'default' });
    for (let at = 0; at < 7; at += 1) for (const name of ['wanted', 'other']) await make(`${name} ${at}`);
    const listed: string[] = [];
    for (let after: string | undefined, isLast = false; !isLast; ) {
      const page = { ...firstPage, page_size: 2, search: 'WANTED' };
      const { data } = await keys.list(admin, after === undefined ? page : { ...page, after });
      listed.push(...data.map(({ name }) => name));
      after = data.at(-1)?.id;
      isLast = data.length < 2;
      await make('wanted later');
    }
    expect(listed).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `wanted ${at}`));
  });

  it('keys are listed, changed, rotated and revoked, and names that no store can hold are not found', async () => {
    const store = await (await newStore())();
    const admin = await readAdmin(store);
    const keys = toService(store);
    const { id } = await keys.create(admin, { name: 'k', scopes: [], workspace_id: 'default' });
    expect(await keys.list(admin, { ...firstPage, page_size: 1 })).toMatchObject({ total: 2, data: [{ id }] });
    expect((await keys.update(admin, id, { name: 'new' })).shown.name).toBe('new');
    expect((await keys.rotate(admin, id)).id).toBe(id);
    expect((await keys.revoke(admin, id)).shown.status).toBe('revoked');
    expect((await keys.list(admin, { ...firstPage, status: 'revoked', workspace_id: 'default' })).total).toBe(1);
    expect(await refusal(keys.get(admin, '\0'))).toEqual(['not-found']);
    expect(await refusal(keys.create(admin, { name: 'k', scopes: [], workspace_id: '\0' }))).toEqual([
      'invalid-input',
      '/workspace_id',
    ]);
  });
});
