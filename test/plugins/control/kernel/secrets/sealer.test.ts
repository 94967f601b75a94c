import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SecretStore } from '../../../../../plugins/control/kernel/secrets/canary.ts';
import { type MasterKey, newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { type SealedAt, SecretError } from '../../../../../plugins/control/kernel/secrets/seal.ts';
import { createSealer, type Sealer } from '../../../../../plugins/control/kernel/secrets/sealer.ts';
import { onEachStore } from './each-store.ts';

const at = (tenant: string, id = '1'): SealedAt => ({ tenant, table: 'providers', id, field: 'credential' });

const dataKeyTenants = async (store: SecretStore): Promise<readonly string[]> =>
  (await store.db.selectFrom('data_keys').select('tenant').orderBy('tenant').execute()).map(({ tenant }) => tenant);

const sealerWith = (store: SecretStore, masterKey: MasterKey): Promise<Sealer> => createSealer({ store, masterKey });

onEachStore((newStore) => {
  describe('a sealer', () => {
    it('opens what it has sealed, also in another process and after a restart', async () => {
      const open = await newStore();
      const masterKey = newMasterKey();
      const first = await sealerWith(await open(), masterKey);
      const sealed = await first.seal('sk-1', at('a'));
      expect(await first.open(sealed, at('a'))).toBe('sk-1');
      expect(await (await sealerWith(await open(), masterKey)).open(sealed, at('a'))).toBe('sk-1');
    });

    it('does not open a secret for another tenant, table, record or field', async () => {
      const sealer = await sealerWith(await (await newStore())(), newMasterKey());
      const sealed = await sealer.seal('sk-1', at('a'));
      await sealer.seal('sk-2', at('b'));
      for (const other of [{ tenant: 'b' }, { table: 'keys' }, { id: '2' }, { field: 'settings' }]) {
        await expect(sealer.open(sealed, { ...at('a'), ...other })).rejects.toThrow(SecretError);
      }
    });

    it('reports another tenant’s data key in the same way as one that does not exist', async () => {
      const sealer = await sealerWith(await (await newStore())(), newMasterKey());
      const sealed = await sealer.seal('sk-1', at('a'));
      const said = (key: string): Promise<string> =>
        sealer.open({ ...sealed, key }, at('b')).catch((error: Error) => error.message.replace(key, 'KEY'));
      expect(await said(sealed.key)).toMatch(/^The data key KEY of the tenant b is not in the store/);
      expect(await said(sealed.key)).toBe(await said('unknown'));
    });

    it('seals and opens again when the store is available again', async () => {
      const store = await (await newStore())();
      let away = false;
      const refused = (): never => {
        throw new Error('The store is unavailable.');
      };
      const failing: SecretStore = {
        kind: store.kind,
        get db() {
          return away ? refused() : store.db;
        },
        write: (run) => store.write(run),
      };
      const sealer = await sealerWith(failing, newMasterKey());
      const sealed = await sealer.seal('sk-1', at('b'));
      away = true;
      await expect(sealer.seal('sk-1', at('a'))).rejects.toThrow('The store is unavailable.');
      await expect(sealer.open(sealed, at('b'))).rejects.toThrow('The store is unavailable.');
      away = false;
      await sealer.seal('sk-1', at('a'));
      expect(await sealer.open(sealed, at('b'))).toBe('sk-1');
    });

    it('uses one data key for each tenant and none for two tenants', async () => {
      const store = await (await newStore())();
      const sealer = await sealerWith(store, newMasterKey());
      const tenants = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '"', ','), maxLength: 4 }), {
        minLength: 2,
      });
      await fc.assert(
        fc.asyncProperty(tenants, fc.string(), async (names, plain) => {
          const sealed = await Promise.all(names.map((tenant) => sealer.seal(plain, at(tenant))));
          expect(new Set(sealed.map(({ key }) => key)).size).toBe(names.length);
          const [one, ...others] = names;
          for (const other of others) {
            const [mine] = sealed;
            if (mine === undefined || one === undefined) throw new Error('There is a tenant.');
            await expect(sealer.open(mine, at(other))).rejects.toThrow(SecretError);
          }
        }),
        { numRuns: 30 },
      );
      const known = await dataKeyTenants(store);
      expect(new Set(known).size).toBe(known.length);
    });

    it('creates one data key if many processes seal a tenant’s first secrets at once', async () => {
      const open = await newStore();
      const masterKey = newMasterKey();
      const stores = [await open(), await open(), await open()];
      const sealers = await Promise.all(stores.map((store) => sealerWith(store, masterKey)));
      const sealed = await Promise.all(
        sealers.flatMap((sealer) => ['1', '2', '3'].map((id) => sealer.seal(`sk-${id}`, at('a', id)))),
      );
      expect(new Set(sealed.map(({ key }) => key)).size).toBe(1);
      expect(await dataKeyTenants(await open())).toEqual(['a']);
      for (const sealer of sealers) {
        expect(
          await Promise.all(sealed.map((each, index) => sealer.open(each, at('a', `${(index % 3) + 1}`)))),
        ).toEqual(sealed.map((_, index) => `sk-${(index % 3) + 1}`));
      }
    });

    it('explains what to do if the data key is missing, for example after a backup was restored', async () => {
      const store = await (await newStore())();
      const masterKey = newMasterKey();
      const sealed = await (await sealerWith(store, masterKey)).seal('sk-1', at('a'));
      await store.write((writing) => writing.deleteFrom('data_keys').execute());
      await expect((await sealerWith(store, masterKey)).open(sealed, at('a'))).rejects.toThrow(
        new SecretError(
          `The data key ${sealed.key} of the tenant a is not in the store, for example because a backup without it was restored: save the tenant's secrets again.`,
        ),
      );
    });

    it('uses no data key that was moved to another tenant or changed', async () => {
      const store = await (await newStore())();
      const masterKey = newMasterKey();
      await (await sealerWith(store, masterKey)).seal('sk-1', at('a'));
      const change = (values: { tenant?: string; wrapped?: string }): Promise<unknown> =>
        store.write((writing) => writing.updateTable('data_keys').set(values).execute());
      await change({ tenant: 'b' });
      const message = /^The data key .* of the tenant b was changed in the store and cannot be used: restore the store/;
      await expect((await sealerWith(store, masterKey)).seal('sk-2', at('b'))).rejects.toThrow(message);
      await change({ wrapped: '{"v":1}' });
      await expect((await sealerWith(store, masterKey)).seal('sk-2', at('b'))).rejects.toThrow(message);
    });
  });

  describe('the master key', () => {
    it('must be the one with which the first process started', async () => {
      const open = await newStore();
      const masterKey = newMasterKey();
      await sealerWith(await open(), masterKey);
      await sealerWith(await open(), masterKey);
      await expect(sealerWith(await open(), newMasterKey())).rejects.toThrow(
        new SecretError(
          'The secrets of this store are sealed with a different master key from the one that is given: set GW_MASTER_KEY to the one they are sealed with, or GW_MASTER_KEY_PREVIOUS while it is being rotated.',
        ),
      );
      await expect(createSealer({ store: await open() })).rejects.toThrow(
        /^The secrets of this store are sealed with a master key, and none is given: set GW_MASTER_KEY/,
      );
    });

    it('is accepted from only one of several processes that start at once with different keys', async () => {
      const open = await newStore();
      const keys = [newMasterKey(), newMasterKey(), newMasterKey()];
      const stores = await Promise.all(keys.map(() => open()));
      const started = await Promise.allSettled(
        stores.map((store, index) => sealerWith(store, keys[index] ?? newMasterKey())),
      );
      expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
      for (const each of started) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(SecretError);
    });

    it('is not in the store, nor is a data key or a secret', async () => {
      const store = await (await newStore())();
      const masterKey = newMasterKey();
      await (await sealerWith(store, masterKey)).seal('sk-very-secret', at('a'));
      const rows = JSON.stringify([
        await store.db.selectFrom('data_keys').selectAll().execute(),
        await store.db.selectFrom('canary').selectAll().execute(),
      ]);
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        expect(rows).not.toContain(masterKey.key.export().toString(encoding).slice(0, 12));
      }
    });

    it('can be absent while nothing is sealed, but nothing can be sealed without it', async () => {
      const sealer = await createSealer({ store: await (await newStore())(), masterKey: undefined });
      await expect(sealer.seal('sk-1', at('a'))).rejects.toThrow(
        new SecretError(
          'Secrets cannot be saved without a master key: set GW_MASTER_KEY to the output of `openssl rand -base64 32`, and start the gateway again.',
        ),
      );
    });

    it('is refused if the store’s canary was changed', async () => {
      const store = await (await newStore())();
      const masterKey = newMasterKey();
      await sealerWith(store, masterKey);
      const { wrapped } = await store.db.selectFrom('canary').select('wrapped').executeTakeFirstOrThrow();
      const forged = JSON.stringify({ ...JSON.parse(wrapped), box: 'A'.repeat(60) });
      await store.write((writing) => writing.updateTable('canary').set({ wrapped: forged }).execute());
      await expect(sealerWith(store, masterKey)).rejects.toThrow(
        'The row that proves the master key was changed in the store and cannot be used: restore the store from a copy.',
      );
    });
  });
});
