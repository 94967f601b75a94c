import { expect, it } from 'vitest';
import { configStore } from '../../../../plugins/control/configs/config-store.ts';
import { findRecord } from '../../../../plugins/control/kernel/resource/resource-queries.ts';
import { findKey } from '../../../../plugins/control/keys/key-store.ts';
import { resources } from '../../../../plugins/control/resources.ts';
import { findWorkspace } from '../../../../plugins/control/saved/named-workspace.ts';
import type { OrganisationId, TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import { onEachStore } from '../secrets/each-store.ts';

const organisation = 'an-organisation' as OrganisationId;
const tenant = 'a-workspace' as TenantId;

onEachStore((newStore) => {
  it('nothing is named by a text that the store cannot keep', async () => {
    const open = await newStore();
    const { db } = await open();
    const name = 'a\0';
    expect(
      await Promise.all([
        configStore.find(db, tenant, name),
        ...resources.map((resource) => findRecord(db, resource, { caller: { organisation, tenant }, name })),
        findKey(db, { organisation }, name),
        findWorkspace(db, organisation, name),
      ]),
    ).toEqual(Array.from({ length: 3 + resources.length }, () => undefined));
  });
});
