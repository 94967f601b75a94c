import { expect, it } from 'vitest';
import { newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { foreignIds, othersHaveIds } from '../../../../../plugins/control/work/remote-ids/foreign-ids.ts';
import { createRemoteIds } from '../../../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import { onEachStore } from '../../kernel/secrets/each-store.ts';
import { filing } from '../files/support/filing.ts';

onEachStore((newStore) => {
  it('an id is foreign if others have it, unless the caller has it with that provider or had it first', async () => {
    const store = await (await newStore())();
    const { tenant, other } = await filing({ store, folder: temporaryFolder(), masterKey: newMasterKey() });
    let now = 1000;
    const remoteIds = createRemoteIds({ store, now: () => now });
    const record = async (of: TenantId, id: string, slug: string): Promise<void> => {
      await remoteIds.record(of, { kind: 'file', id, slug });
      now += 1;
    };
    const foreign = async (of: TenantId, ...ids: string[]): Promise<readonly string[]> => [
      ...(await foreignIds(store, { tenant: of, slug: 'main', ids })),
    ];
    expect(await othersHaveIds(store, tenant)).toBe(false);
    await record(tenant, 'file-mine', 'main');
    await record(other, 'file-theirs', 'main');
    expect([await othersHaveIds(store, tenant), await othersHaveIds(store, other)]).toEqual([true, true]);

    const all = ['file-mine', 'file-theirs', 'file-nobody', 'a\0b', ''];
    expect(await foreign(tenant, ...all)).toEqual(['file-theirs']);
    expect(await foreign(other, ...all)).toEqual(['file-mine']);
    expect(await foreign(tenant, 'a\0b')).toEqual([]);

    // A server of the caller may use the same file id as another server.
    await record(tenant, 'file-theirs', 'own-server');
    expect(await foreign(tenant, 'file-theirs')).toEqual(['file-theirs']);
    await record(other, 'file-mine', 'main');
    expect(await foreign(other, 'file-mine')).toEqual([]);
    // A config does not name an account, so the id belongs to whoever had it first.
    await record(tenant, 'file-by-config', 'config:a');
    await record(other, 'file-by-config', 'config:b');
    expect(await foreign(tenant, 'file-by-config')).toEqual([]);
    expect(await foreign(other, 'file-by-config')).toEqual(['file-by-config']);

    await record(other, '0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0', 'main');
    expect(await foreign(tenant, ' 0F1E2D3C4B5A49788796A5B4C3D2E1F0')).toHaveLength(1);
  });

  it('responses of others are found in the same way as files', async () => {
    const store = await (await newStore())();
    const { tenant, other } = await filing({ store, folder: temporaryFolder(), masterKey: newMasterKey() });
    const row = {
      ...{ workspace_id: other, id: 'resp_1', previous_id: null, slug: 'main', scope: null, is_native: 1 as const },
      ...{ status: 'completed', bytes: 0, response: '', input: '', request: null, created_by: null },
      ...{ created_at: 1, expires_at: 2 },
    };
    await store.write((writing) => writing.insertInto('responses').values(row).execute());
    const query = { slug: 'main', ids: ['resp_1'] };
    expect([...(await foreignIds(store, { tenant, ...query }))]).toEqual(['resp_1']);
    expect([...(await foreignIds(store, { tenant: other, ...query }))]).toEqual([]);
    expect(await othersHaveIds(store, tenant)).toBe(true);
  });
});
