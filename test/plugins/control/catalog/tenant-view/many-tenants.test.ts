import { stdout } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { newMasterKey } from '../../../../../plugins/control/kernel/secrets/master-key.ts';
import { createSealer } from '../../../../../plugins/control/kernel/secrets/sealer.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { newSqliteStore } from '../../kernel/secrets/each-store.ts';
import { followedTenants } from './support/followed-tenants.ts';
import { savingIn } from './support/saving.ts';

const tenantCount = 80;
const configCount = 50;
const configBytes = 1000;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const heapBytes = async (): Promise<number> => {
  for (let round = 0; round < 5; round += 1) {
    collect();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
};

const times = { created_at: 1, updated_at: 1 };

/** Saves many workspaces of one organisation, with configs of a kilobyte each. */
const fill = async (store: Store, organisation_id: string): Promise<readonly TenantId[]> => {
  const fresh = (): string => newId(Date.now());
  const tenants = Array.from({ length: tenantCount }, () => fresh() as TenantId);
  const text = JSON.stringify({ provider: 'openai', override_params: { note: 'x'.repeat(configBytes - 60) } });
  await store.write(async (writing) => {
    for (const tenant of tenants) {
      await writing
        .insertInto('workspaces')
        .values({ id: tenant, organisation_id, slug: tenant, name: 'w', settings: '{}', ...times })
        .execute();
      const configs = Array.from({ length: configCount }, (_, at) => ({
        id: fresh(),
        slug: `config-${at}`,
        version: fresh(),
      }));
      await writing
        .insertInto('configs')
        .values(
          configs.map(({ id, slug, version }) => {
            return {
              id,
              workspace_id: tenant,
              slug,
              name: slug,
              is_default: 0 as const,
              version_id: version,
              ...times,
            };
          }),
        )
        .execute();
      await writing
        .insertInto('config_versions')
        .values(
          configs.map(({ id, version }) => {
            const of = { id: version, config_id: id, workspace_id: tenant, number: 1 };
            return { ...of, text, sealed: '{}', created_by: null, created_at: 1 };
          }),
        )
        .execute();
    }
    await store.bump(writing, 'plans');
  });
  return tenants;
};

it('80 tenants with 50 configs each use less memory than is counted, and only a changed config is read again', async () => {
  const open = newSqliteStore();
  const store = await open();
  const saving = await savingIn(store, await createSealer({ store, masterKey: newMasterKey() }));
  const tenants = await fill(store, await saving.organisation());
  const followed = followedTenants(await open(), saving.sealer);
  const readTexts = async (tenant: TenantId): Promise<number> => {
    const view = await followed.tenants.view(tenant);
    const texts = [...(view?.configNames() ?? [])].map((name) => view?.config(name)?.text());
    return (await Promise.all(texts)).length;
  };
  await followed.tenants.start();

  const before = await heapBytes();
  for (const tenant of tenants) await followed.tenants.view(tenant);
  const views = (await heapBytes()) - before;
  let texts = 0;
  for (const tenant of tenants) texts += await readTexts(tenant);
  const whole = (await heapBytes()) - before;
  const { tenants: kept, bytes } = followed.tenants.status();
  stdout.write(
    `${tenants.length} views: ${Math.round(views / 1024)} KiB; with ${texts} texts: ${Math.round(whole / 1024)} KiB, counted as ${Math.round(bytes / 1024)} KiB\n`,
  );
  expect([kept, texts]).toEqual([tenantCount, tenantCount * configCount]);
  expect(whole).toBeLessThan(bytes);
  expect(bytes).toBeLessThan(26 * 1024 * 1024);

  const [changed = '' as TenantId] = tenants.slice(40);
  await saving.config(changed, { slug: 'config-7', key: 'sk-1' });
  await followed.pass(250);
  followed.asked.length = 0;
  for (const tenant of tenants) await readTexts(tenant);
  expect(followed.asked.filter((table) => table === 'configs')).toHaveLength(1);
  expect(followed.asked.filter((table) => table === 'config_versions')).toHaveLength(1);
  followed.tenants.close();
});
