import { expect, it } from 'vitest';
import { getKey } from '../../../../../plugins/control/access/keys/key-store.ts';
import { configStore } from '../../../../../plugins/control/catalog/configs/config-store.ts';
import { findWorkspace } from '../../../../../plugins/control/kernel/records/records.ts';
import { findRecord } from '../../../../../plugins/control/kernel/resource/resource-queries.ts';
import { resources } from '../../../../../plugins/control/resources.ts';
import type { OrganisationId, TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { onEachStore } from '../secrets/each-store.ts';

const organisation = 'an-organisation' as OrganisationId;
const tenant = 'a-workspace' as TenantId;

onEachStore((newStore) => {
  it('finds no record by a name that the store cannot contain', async () => {
    const open = await newStore();
    const { db } = await open();
    const name = 'a\0';
    expect(
      await Promise.all([
        configStore.find(db, tenant, name),
        ...resources.map((resource) => findRecord(db, resource, { caller: { organisation, tenant }, name })),
        findWorkspace(db, organisation, name),
      ]),
    ).toEqual(Array.from({ length: 2 + resources.length }, () => undefined));
    await expect(getKey(db, { organisation }, name)).rejects.toMatchObject({ report: { code: 'not-found' } });
  });
});
