import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SecretStore } from '../../../../../plugins/control/kernel/secrets/canary.ts';
import { newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import {
  type Sealed,
  type SealedAt,
  SecretError,
  UnknownMasterError,
} from '../../../../../plugins/control/kernel/secrets/seal.ts';
import { createSealer } from '../../../../../plugins/control/kernel/secrets/sealer.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { onEachStore } from './each-store.ts';

const at = (tenant: string, id = '1'): SealedAt => ({ tenant, table: 'providers', id, field: 'credential' });

const readRows = async (store: SecretStore): Promise<readonly { readonly wrapped: string }[]> => [
  ...(await store.db.selectFrom('data_keys').select('wrapped').orderBy('id').execute()),
  ...(await store.db.selectFrom('canary').select('wrapped').execute()),
];

const readMasters = async (store: SecretStore): Promise<readonly string[]> => [
  ...new Set((await readRows(store)).map(({ wrapped }): string => JSON.parse(wrapped).master)),
];

onEachStore((newStore) => {
  describe('a rotated master key', () => {
    it('opens everything that was sealed before it, and the previous key is refused', async () => {
      const open = await newStore();
      const [masterKey, next] = [newMasterKey(), newMasterKey()];
      const sealer = await createSealer({ store: await open(), masterKey });
      const sealed = await sealer.seal('sk-1', at('a'));
      await sealer.rotateMaster(next);
      expect(await readMasters(await open())).toEqual([next.id]);
      expect(await sealer.open(sealed, at('a'))).toBe('sk-1');
      const later = await createSealer({ store: await open(), masterKey: next });
      expect(await later.open(sealed, at('a'))).toBe('sk-1');
      await expect(createSealer({ store: await open(), masterKey })).rejects.toThrow(SecretError);
    });

    it('works for processes with both keys, which wrap new data keys with the key that is in use', async () => {
      const open = await newStore();
      const store = await open();
      const [masterKey, next] = [newMasterKey(), newMasterKey()];
      const old = await createSealer({ store: await open(), masterKey });
      const both = await createSealer({ store: await open(), masterKey: next, previousMasterKey: masterKey });
      const early = await both.seal('sk-1', at('a'));
      expect(await readMasters(store)).toEqual([masterKey.id]);
      expect(await old.open(early, at('a'))).toBe('sk-1');
      await old.rotateMaster(next);
      const late = await both.seal('sk-2', at('b'));
      expect(await readMasters(store)).toEqual([next.id]);
      const only = await createSealer({ store: await open(), masterKey: next });
      expect(await only.open(early, at('a'))).toBe('sk-1');
      expect(await only.open(late, at('b'))).toBe('sk-2');
    });

    it('lets a process with the previous key use data keys that it knows, but create none', async () => {
      const open = await newStore();
      const [masterKey, next] = [newMasterKey(), newMasterKey()];
      const previous = await createSealer({ store: await open(), masterKey });
      const sealed = await previous.seal('sk-1', at('a'));
      await previous.open(sealed, at('a'));
      await (await createSealer({ store: await open(), masterKey })).rotateMaster(next);
      expect(await previous.open(sealed, at('a'))).toBe('sk-1');
      const more = await previous.seal('sk-2', at('a'));
      const later = await createSealer({ store: await open(), masterKey: next });
      expect(await later.open(more, at('a'))).toBe('sk-2');
      await expect(previous.seal('sk-3', at('new'))).rejects.toThrow(SecretError);
      await later.seal('sk-4', at('other'));
      await expect(previous.seal('sk-5', at('other'))).rejects.toThrow(
        /^The data key .* of the tenant other is wrapped by a master key that this process does not have: set GW_MASTER_KEY/,
      );
      expect(await readMasters(await open())).toEqual([next.id]);
    });

    it('opens the secrets of many tenants', async () => {
      const open = await newStore();
      const [store, masterKey, next] = [await open(), newMasterKey(), newMasterKey()];
      const sealer = await createSealer({ store, masterKey });
      const tenants = Array.from({ length: 120 }, (_, index) => `tenant-${index}`);
      const sealed: (readonly [Sealed, string])[] = [];
      // One after another, because all at once would wait for connections until they time out.
      for (const tenant of tenants) sealed.push([await sealer.seal(tenant, at(tenant)), tenant]);
      await sealer.rotateMaster(next);
      expect(await readMasters(store)).toEqual([next.id]);
      const later = await createSealer({ store, masterKey: next });
      for (const [each, tenant] of sealed) expect(await later.open(each, at(tenant))).toBe(tenant);
    });

    it('can be rotated to again without any change', async () => {
      const store = await (await newStore())();
      const next = newMasterKey();
      const sealer = await createSealer({ store, masterKey: newMasterKey() });
      await sealer.seal('sk-1', at('a'));
      await sealer.rotateMaster(next);
      const rows = await readRows(store);
      await sealer.rotateMaster(next);
      expect(await readRows(store)).toEqual(rows);
    });

    it('is applied to no data key if one of them is damaged', async () => {
      const store = await (await newStore())();
      const sealer = await createSealer({ store, masterKey: newMasterKey() });
      await sealer.seal('sk-1', at('a'));
      await sealer.seal('sk-2', at('b'));
      const damaged = { wrapped: '{}' };
      await store.write((writing) => writing.updateTable('data_keys').set(damaged).where('tenant', '=', 'b').execute());
      const rows = await readRows(store);
      await expect(sealer.rotateMaster(newMasterKey())).rejects.toThrow(SecretError);
      expect(await readRows(store)).toEqual(rows);
    });

    it('is known to its process even if the confirmation of the commit was lost', async () => {
      const open = await newStore();
      const store = await open();
      const next = newMasterKey();
      let away = false;
      const write: SecretStore['write'] = async (run) => {
        const result = await store.write(run);
        if (away) throw new Error('The connection was lost.');
        return result;
      };
      const sealer = await createSealer({
        store: { kind: store.kind, db: store.db, write },
        masterKey: newMasterKey(),
      });
      const sealed = await sealer.seal('sk-1', at('a'));
      away = true;
      await expect(sealer.rotateMaster(next)).rejects.toThrow('The connection was lost.');
      away = false;
      expect(await sealer.open(sealed, at('a'))).toBe('sk-1');
      await sealer.seal('sk-2', at('b'));
      await sealer.rotateMaster(next);
      expect(await readMasters(store)).toEqual([next.id]);
    });

    it('is read again by a process that finds data wrapped by it, once for each call while it is unavailable', async () => {
      const open = await newStore();
      const [first, second, third] = [newMasterKey(), newMasterKey(), newMasterKey()];
      const kept = { masterKey: first };
      let reads = 0;
      const readAgain = async () => {
        reads += 1;
        return { ...kept };
      };
      const serving = await createSealer({ store: await open(), masterKey: first, readAgain });
      const rotating = await createSealer({ store: await open(), masterKey: first });
      const before = await rotating.seal('sk-1', at('a'));
      expect(reads).toBe(0);
      await rotating.rotateMaster(second);
      await rotating.rotateMaster(third);
      await expect(serving.prove()).rejects.toThrow(UnknownMasterError);
      await expect(serving.open(before, at('a'))).rejects.toThrow(UnknownMasterError);
      await expect(serving.seal('sk-2', at('b'))).rejects.toThrow(UnknownMasterError);
      expect(reads).toBe(3);
      kept.masterKey = third;
      expect(await serving.open(before, at('a'))).toBe('sk-1');
      await serving.seal('sk-2', at('b'));
      await serving.prove();
      expect(reads).toBe(4);
      expect(await readMasters(await open())).toEqual([third.id]);
    });

    it('is read again by a process that starts during the rotation', async () => {
      const open = await newStore();
      const [old, next] = [newMasterKey(), newMasterKey()];
      const rotating = await createSealer({ store: await open(), masterKey: old });
      await rotating.rotateMaster(next);
      const readAgain = async () => ({ masterKey: next });
      await createSealer({ store: await open(), masterKey: old, readAgain });
      await expect(createSealer({ store: await open(), masterKey: old })).rejects.toThrow('a different master key');
    });

    it('opens everything that several processes seal during the rotation', async () => {
      const tenants = ['a', 'b', 'c', 'd', 'e', 'f'];
      const steps = fc.array(fc.constantFrom('rotate', ...tenants), { minLength: 6, maxLength: 18 });
      const open = await newStore();
      const stores = await Promise.all([open(), open(), open(), open()]);
      await fc.assert(
        fc.asyncProperty(steps, async (run) => {
          await stores[0].write(async (writing) => {
            await writing.deleteFrom('data_keys').execute();
            await writing.deleteFrom('canary').execute();
          });
          const [previous, current] = [newMasterKey(), newMasterKey()];
          const rotating = await createSealer({ store: stores[0], masterKey: previous });
          const both = await createSealer({ store: stores[1], masterKey: current, previousMasterKey: previous });
          const old = await createSealer({ store: stores[2], masterKey: previous });
          const sealers = [rotating, both, old] as const;
          const kept: (readonly [Sealed, SealedAt])[] = [];
          const running = run.map(async (step, index) => {
            const sealer = sealers[index % 3] ?? both;
            if (step === 'rotate') return rotating.rotateMaster(current);
            const place = at(step, String(index));
            const sealed = await sealer.seal(`sk-${index}`, place).catch((error) => {
              if (sealer === old && error instanceof SecretError) return undefined;
              throw error;
            });
            if (sealed !== undefined) kept.push([sealed, place]);
          });
          await Promise.all(running);
          const later = await createSealer({ store: stores[3], masterKey: current, previousMasterKey: previous });
          for (const [sealed, place] of kept) expect(await later.open(sealed, place)).toBe(`sk-${place.id}`);
          const rotated = run.includes('rotate') ? current : previous;
          expect(await readMasters(stores[3])).toEqual([rotated.id]);
        }),
        { numRuns: Math.ceil(lawRuns.numRuns / 20) },
      );
    });
  });
});
